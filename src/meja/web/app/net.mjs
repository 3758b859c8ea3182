// @ts-check
// The connection to the server, as the pages use it.
export { ApiError, get, newBuild, newKey, pause, post, serverNow, waitAfter } from "./request.mjs";
export { openStream } from "./stream.mjs";
