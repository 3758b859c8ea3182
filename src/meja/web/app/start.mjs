// @ts-check
// New tables: against bots at once, or with seats for friends.
import { askName, ensurePerson, named } from "./me.mjs";
import { newKey, post } from "./request.mjs";
import { go } from "./router.mjs";
import { t } from "./words.mjs";

/** @typedef {import("../types.d.ts").GameInfo} GameInfo */
/** @typedef {import("../types.d.ts").NewTable} NewTable */

/** What was asked for -> its key, until it is done: asked again, it is still one table. @type {Map<string, string>} */
const asked = new Map();

/** Make a table and go there. @param {Omit<NewTable, "key">} wanted @returns {Promise<void>} */
export async function createTable(wanted) {
  const text = JSON.stringify(wanted);
  const key = asked.get(text) ?? newKey();
  asked.set(text, key);
  await ensurePerson();
  const { table } = await post("/api/tables", { key, ...wanted });
  asked.delete(text);
  go(`/t/${table}`);
}

/** @param {GameInfo} game @param {import("../types.d.ts").SeatChoice} other @returns {Omit<NewTable, "key">} */
function plain(game, other) {
  return {
    game: game.name,
    seats: game.default_seats,
    preset: game.presets[0]?.name ?? "standard",
    options: {},
    me: 0,
    others: Array.from({ length: game.default_seats - 1 }, () => other),
    clock: "off",
    watch: true,
    listed: false,
    chat: true,
    talk: false,
    start: other.kind === "bot",
  };
}

/** @param {GameInfo} game @returns {Promise<void>} */
export function playBots(game) {
  return createTable(plain(game, { kind: "bot", level: game.level }));
}

/** Friends should know whose table it is. @returns {Promise<boolean>} whether there is a name */
export async function nameForFriends() {
  if (named()) return true;
  const words = { text: t("Your friends see this name at the table."), button: t("Open the table") };
  return Boolean(await askName(words));
}

/** @param {GameInfo} game @returns {Promise<void>} */
export async function inviteFriends(game) {
  if (!(await nameForFriends())) return;
  await createTable(plain(game, { kind: "open" }));
}
