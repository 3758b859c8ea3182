// @ts-check
// What can be done with the cards that are chosen: laid, put aside for the opening, laid off, discarded.

import { meldPoints, naturalPoints, shapes } from "./melds.mjs";
import { layingsOf, openingAction, partsOf, targetsOf } from "./plays.mjs";

/** @typedef {import("./plays.mjs").KalukiView} KalukiView */
/** @typedef {import("./plays.mjs").Laying} Laying */
/** A meld put aside for an opening with several; `pile`: the card on the discard pile is in it.
 * @typedef {{ cards: string[], pile: boolean }} Part */
/** @typedef {{
 *   cards: string[],
 *   points: number,
 *   shaped: boolean,
 *   layings: Laying[],
 *   parts: string[][],
 *   targets: import("./plays.mjs").Target[],
 *   single: string | null,
 * }} Choice */

/** Whether melds are being put aside for an opening with several (option `opening = total`).
 * @param {KalukiView} view */
export function collects(view) {
  return view.openings.length > 0 && view.seat !== null && !view.opened[view.seat];
}

/** @param {KalukiView} view
 * @param {import("./plays.mjs").Plays} plays
 * @param {readonly string[]} cards the cards chosen, that of the discard pile with them
 * @param {boolean} pile whether it is among them
 * @param {import("./melds.mjs").Values} values
 * @returns {Choice} */
export function choiceOf(view, plays, cards, pile, values) {
  const [shape] = shapes(cards, values);
  const single = cards.length === 1 && !pile ? cards[0] : null;
  return {
    cards: [...cards],
    points: shape ? meldPoints(shape, values) : naturalPoints(cards, values),
    shaped: Boolean(shape),
    layings: layingsOf(plays, cards, values).filter((laying) => laying.action.startsWith("take") === pile),
    parts: collects(view) && (view.phase === "play") === !pile ? partsOf(view.openings, cards, values) : [],
    targets: single ? targetsOf(plays, single) : [],
    single,
  };
}

/** The words of a try that is not among the legal actions, so that the server can say what is wrong with it.
 * @param {readonly string[]} cards
 * @param {boolean} pile
 * @param {import("./melds.mjs").Values} values */
export function triedAction(cards, pile, values) {
  const [shape] = shapes(cards, values);
  return openingAction([shape ?? [...cards]], pile);
}

/** The words of a card laid where it is not legal.
 * @param {string} card
 * @param {number} meld */
export function triedTarget(card, meld) {
  return `add ${card} m${meld}`;
}

/** @param {readonly Part[]} tray
 * @param {import("./melds.mjs").Values} values */
export function trayPoints(tray, values) {
  return tray.reduce((sum, part) => sum + meldPoints(part.cards, values), 0);
}

/** @param {readonly Part[]} tray */
export function trayAction(tray) {
  return openingAction(
    tray.map((part) => part.cards),
    tray.some((part) => part.pile),
  );
}

/** What the turn still asks for before it can end.
 * @param {KalukiView} view
 * @param {import("./plays.mjs").Plays} plays
 * @returns {{ joker: boolean, taken: "must-lay" | "may-not-go" | null }} */
export function debts(view, plays) {
  const mine = view.seat !== null && view.seat === view.to_act && view.phase === "play";
  if (!mine) {
    return { joker: false, taken: null };
  }
  const kept = view.taken !== null && !view.taken_laid && !plays.discards.includes(view.taken);
  if (!kept) {
    return { joker: view.owed > 0, taken: null };
  }
  // While a joker is owed nothing may be discarded, so that says nothing about the card taken.
  const stuck = !plays.discards.length && !view.owed && view.hand.length > 1;
  return { joker: view.owed > 0, taken: stuck ? "must-lay" : "may-not-go" };
}
