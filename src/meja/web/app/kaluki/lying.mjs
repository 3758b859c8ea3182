// @ts-check
// Melds as they lie on the table, and how a lifted card can go to them.

import { Card } from "../card.mjs";
import { html } from "../html.mjs";
import { cardName, cardSpoken, t } from "../words.mjs";
import { isJoker } from "./melds.mjs";

/** How a lifted card fits a meld: `no` where it may be tried, but does not.
 * @typedef {{ card: string, fits: ("add" | "swap")[] }} Offer */

/** The cards of a meld in a row.
 * @param {object} props
 * @param {readonly string[]} props.cards */
export function MeldCards({ cards }) {
  return cards.map(
    (card, place) =>
      html`<span
        key=${place}
        class="kaluki-mini"
        data-word=${card}
        data-wide=${isJoker(card) ? "" : undefined}
        ><${Card} card=${card} hidden
      /></span>`,
  );
}

/** A meld in words.
 * @param {readonly string[]} cards */
export function meldName(cards) {
  return cards.map(cardName).join(" ");
}

/**
 * @param {object} props
 * @param {import("./plays.mjs").TableMeld} props.meld
 * @param {string} props.owner
 * @param {Offer | null} props.offer
 * @param {() => void} props.onOffer
 */
export function TableMeld({ meld, owner, offer, onOffer }) {
  const label = t("Meld {number} of {name}: {cards}, {points} points", {
    number: meld.meld + 1,
    name: owner,
    cards: meld.cards.map(cardSpoken).join(", "),
    points: meld.points,
  });
  const fits = offer?.fits[0] ?? null;
  return html`<div
    class="kaluki-meld"
    role="group"
    aria-label=${label}
    data-drop=${`meld-${meld.meld}`}
    data-fly=${`meld-${meld.meld}`}
    data-fits=${fits ?? undefined}
  >
    <div class="kaluki-row"><${MeldCards} cards=${meld.cards} /></div>
    <div class="kaluki-meld-foot" aria-hidden="true"><span>${t("Meld {n}", { n: meld.meld + 1 })}</span><span>${meld.points}</span></div>
    ${offer &&
    html`<button
      type="button"
      class="kaluki-offer"
      data-offer=${fits ? meld.meld : undefined}
      tabindex=${fits ? 0 : -1}
      aria-label=${offerLabel(offer, meld)}
      onClick=${onOffer}
    >
      ${fits && html`<span class="kaluki-offer-sign" aria-hidden="true">${fits === "swap" ? "⇄" : "+"}</span>`}
    </button>`}
  </div>`;
}

/** @param {Offer} offer
 * @param {import("./plays.mjs").TableMeld} meld */
function offerLabel(offer, meld) {
  const values = { card: cardSpoken(offer.card), number: meld.meld + 1 };
  return offer.fits[0] === "swap"
    ? t("Swap {card} for the joker of meld {number}", values)
    : t("Add {card} to meld {number}", values);
}
