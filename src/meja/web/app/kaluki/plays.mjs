// @ts-check
// The legal actions of a view, taken apart: what a selection can be laid as, where a card can go.

import { meldPoints, physical, sameCards } from "./melds.mjs";

/** @typedef {{ meld: number, owner: number, cards: string[], points: number }} TableMeld */
/** The view of a deal of Kaluki.
 * @typedef {{
 *   seat: number | null, dealer: number, phase: string, to_act: number | null, hand: string[], hand_sizes: number[],
 *   legal: string[], totals: number[], prompt: string, table: TableMeld[], pile: string[], upcard: string,
 *   stock: number, turned?: string[], reshuffles?: number, opened: boolean[], known?: string[][], taken: string | null,
 *   taken_laid?: boolean, owed: number, fresh?: boolean, drew: string | null, openings: string[][], left: string[][],
 *   best: { melds: string[][], points: number, needed: number } | null,
 * }} KalukiView */

/** A card laid off or given for a joker: `stands` is what a joker added stands for.
 * @typedef {{ action: string, verb: "add" | "swap", card: string, stands: string | null, meld: number }} Target */
/** @typedef {{ action: string, melds: string[][] }} Laying */
/** @typedef {{ draw: boolean, take: boolean, layings: Laying[], targets: Target[], discards: string[] }} Plays */

/** @param {readonly string[]} legal
 * @returns {Plays} */
export function readLegal(legal) {
  /** @type {Plays} */
  const plays = { draw: false, take: false, layings: [], targets: [], discards: [] };
  for (const action of legal) {
    const [verb, ...words] = action.split(" ");
    if (verb === "draw") {
      plays.draw = true;
    } else if (verb === "take" && !words.length) {
      plays.take = true;
    } else if (verb === "take" || verb === "meld" || verb === "open") {
      plays.layings.push({ action, melds: splitMelds(words) });
    } else if (verb === "add" || verb === "swap") {
      const [word, meld] = words;
      const stands = word.startsWith("Jk=") ? word.slice(3) : null;
      plays.targets.push({ action, verb, card: physical(word), stands, meld: Number(meld.slice(1)) });
    } else if (verb === "discard") {
      plays.discards.push(words[0]);
    }
  }
  return plays;
}

/** @param {readonly string[]} words
 * @returns {string[][]} */
function splitMelds(words) {
  /** @type {string[][]} */
  const melds = [[]];
  for (const word of words) {
    if (word === "+") {
      melds.push([]);
    } else {
      melds[melds.length - 1].push(word);
    }
  }
  return melds;
}

/** The ways in which a group of cards can be laid by itself now; several where a joker can stand for several cards.
 * @param {Plays} plays
 * @param {readonly string[]} cards
 * @param {import("./melds.mjs").Values} values
 * @returns {Laying[]} */
export function layingsOf(plays, cards, values) {
  return plays.layings
    .filter((laying) => laying.melds.length === 1 && sameCards(laying.melds[0].map(physical), cards))
    .sort((one, other) => meldPoints(other.melds[0], values) - meldPoints(one.melds[0], values));
}

/** The melds that a group of cards can be as a part of an opening with several.
 * @param {readonly string[][]} openings
 * @param {readonly string[]} cards
 * @param {import("./melds.mjs").Values} values */
export function partsOf(openings, cards, values) {
  return openings
    .filter((meld) => sameCards(meld.map(physical), cards))
    .sort((one, other) => meldPoints(other, values) - meldPoints(one, values));
}

/** The action that opens with melds laid together.
 * @param {readonly string[][]} melds
 * @param {boolean} taking whether the card from the discard pile is among them */
export function openingAction(melds, taking) {
  const words = melds.map((meld) => meld.join(" ")).join(" + ");
  return `${taking ? "take" : melds.length > 1 ? "open" : "meld"} ${words}`;
}

/** Where one card can go on the table.
 * @param {Plays} plays
 * @param {string} card
 * @returns {Target[]} */
export function targetsOf(plays, card) {
  return plays.targets.filter((target) => target.card === card);
}
