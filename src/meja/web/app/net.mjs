// @ts-check
// The connection to the server, as the pages use it.
export { ApiError, command, get, newBuild, newKey, post, serverNow } from "./request.mjs";
export { openStream } from "./stream.mjs";
