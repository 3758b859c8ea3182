// @ts-check
// The answers to the letters that a player can ask at any time.

import { cardName, cardSpoken, list, t } from "../words.mjs";
import { bySuit } from "./order.mjs";

/** @typedef {import("./plays.mjs").KalukiView} KalukiView */

/** @type {import("../table/surface.d.ts").Queries} */
export function queries(update, names) {
  const view = /** @type {KalukiView | null} */ (/** @type {unknown} */ (update.view));
  if (!view) {
    return {};
  }
  const top = view.pile[view.pile.length - 1];
  const piles = top
    ? t("Top of the discard pile: {card}. Cards in the stock: {stock}.", { card: cardSpoken(top), stock: view.stock })
    : t("The discard pile is empty.");
  const held = view.hand_sizes.map((count, seat) => `${names[seat]} ${count}${view.opened[seat] ? ` (${t("opened")})` : ""}`);
  const melds = view.table.map((meld) => `${t("Meld {n}", { n: meld.meld + 1 })}, ${names[meld.owner]}: ${meld.cards.map(cardSpoken).join(", ")}`);
  return {
    h: view.hand.length ? `${t("Your hand")}: ${list(bySuit(view.hand).map(cardSpoken))}.` : t("You hold no cards."),
    t: [piles, `${t("Cards in hand:")} ${held.join(", ")}.`, ...(melds.length ? melds : [t("No meld lies on the table.")])].join(" "),
    l: view.pile.length
      ? `${t("The discard pile, top card first:")} ${[...view.pile].reverse().slice(0, 10).map(cardSpoken).join(", ")}.`
      : t("The discard pile is empty."),
    r: openingSentence(view),
  };
}

/** @param {KalukiView} view */
function openingSentence(view) {
  if (view.seat !== null && view.opened[view.seat]) {
    return t("You have opened.");
  }
  if (!view.best) {
    return t("You are watching.");
  }
  const { points, needed, melds } = view.best;
  if (!melds.length) {
    return t("To open you need {needed}. There is no meld in your hand.", { needed });
  }
  const cards = melds[0].map(cardName).join(" ");
  return points < needed
    ? t("To open you need {needed}. Best in your hand: {cards}, {points}; {missing} missing.", { needed, cards, points, missing: needed - points })
    : t("To open you need {needed}. Your hand can do it: {cards}, {points}.", { needed, cards, points });
}
