// @ts-check
// What the server knows of the games, in the language shown.
import { effect, signal } from "@preact/signals";
import { get } from "./request.mjs";
import { spoken } from "./words.mjs";

/** @typedef {import("../types.d.ts").Games} Games */
/** @typedef {import("../types.d.ts").GameInfo} GameInfo */

/** @type {import("@preact/signals").Signal<Games | null>} */
export const games = signal(null);
/** @type {import("@preact/signals").Signal<import("./request.mjs").ApiError | null>} */
export const gamesError = signal(null);

/** The games in the order in which they are shown. */
export const ORDER = ["bassadewitz", "calabresella", "kaluki", "smear"];

/** @param {string} name @returns {GameInfo | undefined} */
export function game(name) {
  return games.value?.games.find((one) => one.name === name);
}

/** @returns {Promise<void>} */
export async function loadGames() {
  const language = spoken.peek();
  try {
    const found = await get("/api/games");
    if (language === spoken.peek()) {
      games.value = found;
      gamesError.value = null;
    }
  } catch (error) {
    gamesError.value = /** @type {any} */ (error);
  }
}

/** Load them now and whenever the language changes. */
export function followGames() {
  effect(() => {
    if (spoken.value) loadGames();
  });
}
