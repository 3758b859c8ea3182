// @ts-check
// A card as it is drawn: the sprite of the chosen deck, with a name for those who do not see it.
import { settings } from "./settings.mjs";
import { html } from "./html.mjs";
import { BASE, cardName, cardSpoken } from "./words.mjs";

/**
 * @param {object} props
 * @param {string | null} props.card "As", "Jk", a joker that stands for a card "Jk=9h" (in a set "Jk=9"); null: face down
 * @param {boolean} [props.hidden] the name stands elsewhere (a button around it has it): the picture says nothing
 * @param {string} [props.class] besides "card"
 * @param {boolean} [props.empty] a place where a card can lie
 */
export function Card({ card, hidden = false, class: more = "", empty = false }) {
  const joker = card?.startsWith("Jk") ?? false;
  const stands = joker && card ? card.slice(3) : "";
  const id = empty ? "empty" : card === null ? "back" : joker ? "Jk" : card;
  const red = /[hd]$/.test(stands);
  return html`<svg
    class=${`card ${more}`}
    viewBox="0 0 200 280"
    role=${hidden || card === null ? undefined : "img"}
    aria-hidden=${hidden || card === null ? "true" : undefined}
    aria-label=${hidden || card === null ? undefined : cardSpoken(card)}
  >
    <use href=${`${BASE}cards/${settings.deck.value}.svg#${id}`} />
    ${stands &&
    html`<g class="stands" data-red=${red ? "" : undefined}>
      <rect x="18" y="196" width="164" height="66" rx="14" />
      <text x="100" y="246" text-anchor="middle">${cardName(stands)}</text>
    </g>`}
  </svg>`;
}
