// @ts-check
// The order of a hand: by suit, by rank, melds first, or the player's own, which stays.

import { isJoker, physical, rankOf, suitOf, without } from "./melds.mjs";

/** @typedef {"suit" | "rank" | "melds" | "own"} Sorting */
/** @typedef {{ sorting: Sorting, own: string[] }} Order */

export const SORTINGS = /** @type {const} */ (["suit", "rank", "melds"]);

/** Spades, hearts, clubs, diamonds: so that colours alternate. */
const SUIT_PLACES = [0, 1, 3, 2];

/** @param {string} card */
function bySuitKey(card) {
  return isJoker(card) ? 1000 : SUIT_PLACES[suitOf(card)] * 13 + rankOf(card);
}

/** @param {string} card */
function byRankKey(card) {
  return isJoker(card) ? 1000 : rankOf(card) * 4 + SUIT_PLACES[suitOf(card)];
}

/** @param {readonly string[]} hand */
export function bySuit(hand) {
  return [...hand].sort((one, other) => bySuitKey(one) - bySuitKey(other));
}

/** @param {readonly string[]} hand */
export function byRank(hand) {
  return [...hand].sort((one, other) => byRankKey(one) - byRankKey(other));
}

/** The melds that were found, then the rest by suit.
 * @param {readonly string[]} hand
 * @param {readonly string[][]} melds */
export function meldsFirst(hand, melds) {
  const front = [];
  let left = [...hand];
  for (const meld of melds) {
    const cards = meld.map(physical);
    const rest = without(left, cards);
    if (rest) {
      front.push(...cards);
      left = rest;
    }
  }
  return [...front, ...bySuit(left)];
}

/** The player's own order with the cards that are held now: what is gone leaves, what is new goes beside its like.
 * @param {readonly string[]} hand
 * @param {readonly string[]} own */
export function ownOrder(hand, own) {
  let fresh = [...hand];
  /** @type {string[]} */
  const order = [];
  for (const card of own) {
    const rest = without(fresh, [card]);
    if (rest) {
      order.push(card);
      fresh = rest;
    }
  }
  for (const card of fresh) {
    order.splice(placeFor(card, order), 0, card);
  }
  return order;
}

/** Where a new card fits: beside its neighbour in a run, else beside its rank, else at the end.
 * @param {string} card
 * @param {readonly string[]} order */
export function placeFor(card, order) {
  if (isJoker(card)) {
    return order.length;
  }
  for (const [distance, shift] of [[-1, 1], [1, 0], [0, 1], [-2, 1], [2, 0]]) {
    const place = order.findIndex(
      (other) => !isJoker(other) && other[1] === card[1] && rankOf(other) === rankOf(card) + distance,
    );
    if (place >= 0) {
      return place + shift;
    }
  }
  const alike = order.findLastIndex((other) => other[0] === card[0] && !isJoker(other));
  return alike >= 0 ? alike + 1 : order.length;
}

/** @param {readonly string[]} hand
 * @param {Order} order
 * @param {readonly string[][]} melds the melds found in the hand
 * @returns {string[]} */
export function ordered(hand, order, melds) {
  if (order.sorting === "own") {
    return ownOrder(hand, order.own);
  }
  if (order.sorting === "melds") {
    return meldsFirst(hand, melds);
  }
  return order.sorting === "rank" ? byRank(hand) : bySuit(hand);
}

/** The order after some cards were moved before `target` (a place in the order as it is now).
 * @template T
 * @param {readonly T[]} order
 * @param {readonly T[]} moved
 * @param {number} target
 * @returns {T[]} */
export function moved(order, moved, target) {
  const gone = new Set(moved);
  const before = order.slice(0, target).filter((item) => !gone.has(item));
  const after = order.slice(target).filter((item) => !gone.has(item));
  return [...before, ...order.filter((item) => gone.has(item)), ...after];
}

/** A name for each card that tells equal ones apart.
 * @param {readonly string[]} cards
 * @returns {string[]} */
export function keysOf(cards) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return cards.map((card) => {
    const number = seen.get(card) ?? 0;
    seen.set(card, number + 1);
    return `${card}#${number}`;
  });
}

/** @param {string} key */
export function cardOf(key) {
  return key.slice(0, key.indexOf("#"));
}

/** @param {string} table
 * @returns {Order} */
export function keptOrder(table) {
  try {
    const kept = JSON.parse(localStorage.getItem(`meja.kaluki.${table}`) ?? "null");
    const own = Array.isArray(kept?.own) ? kept.own.filter((/** @type {unknown} */ card) => typeof card === "string") : [];
    const sorting = [...SORTINGS, "own"].includes(kept?.sorting) ? kept.sorting : "suit";
    return { sorting, own };
  } catch {
    return { sorting: "suit", own: [] };
  }
}

/** @param {string} table
 * @param {Order} order */
export function keepOrder(table, order) {
  try {
    localStorage.setItem(`meja.kaluki.${table}`, JSON.stringify(order));
  } catch {
    // Without storage the order lasts as long as the page.
  }
}
