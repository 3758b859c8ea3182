// @ts-check
// Which cards of the hand belong together: in a meld that was found, in a suit, in an action on its way.

import { physical, without } from "./melds.mjs";
import { cardOf } from "./order.mjs";

/** The name of a card that came last, among equal ones.
 * @param {readonly string[]} keys
 * @param {string} card */
export function lastKey(keys, card) {
  return keys.filter((key) => cardOf(key) === card).reduce((one, other) => (one > other ? one : other), "") || null;
}

/** Which of the melds found in the hand each card is in.
 * @param {readonly string[]} keys
 * @param {readonly string[][]} melds */
export function meldsByKey(keys, melds) {
  /** @type {Map<string, number>} */
  const found = new Map();
  melds.forEach((meld, number) => {
    for (const word of meld) {
      const key = keys.find((other) => !found.has(other) && cardOf(other) === physical(word));
      if (key) {
        found.set(key, number);
      }
    }
  });
  return found;
}

/** The places at which a new group begins in the hand.
 * @param {readonly string[]} keys
 * @param {import("./order.mjs").Sorting} sorting
 * @param {Map<string, number>} meldOf */
export function breaksOf(keys, sorting, meldOf) {
  const groupOf = (/** @type {string} */ key) => {
    const meld = meldOf.get(key);
    return sorting === "melds" && meld !== undefined ? `meld ${meld}` : key.startsWith("Jk") ? "Jk" : key[1];
  };
  const breaks = new Set();
  if (sorting === "suit" || sorting === "melds") {
    keys.forEach((key, place) => place && groupOf(key) !== groupOf(keys[place - 1]) && breaks.add(place));
  }
  return breaks;
}

/** The cards of the hand that are in an action on its way.
 * @param {string | null} action
 * @param {readonly string[]} keys */
export function keysInAction(action, keys) {
  const [verb, ...words] = action?.split(" ") ?? [];
  let left = (verb === "add" || verb === "swap" ? words.slice(0, 1) : words).map(physical);
  const found = new Set();
  for (const key of keys) {
    const rest = without(left, [cardOf(key)]);
    if (rest) {
      found.add(key);
      left = rest;
    }
  }
  return found;
}
