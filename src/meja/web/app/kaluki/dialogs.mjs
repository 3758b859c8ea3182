// @ts-check
// What a joker stands for, and a look through the discard pile.

import { Card } from "../card.mjs";
import { html } from "../html.mjs";
import { cardSpoken, t } from "../words.mjs";
import { Dialog } from "../dialog.mjs";
import { MeldCards } from "./lying.mjs";

/**
 * @param {object} props
 * @param {string} props.title
 * @param {import("./table.mjs").Way[]} props.ways
 * @param {() => void} props.onClose
 */
export function AskReading({ title, ways, onClose }) {
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <div class="kaluki-ways">
      ${ways.map(
        (way, place) =>
          html`<button
            type="button"
            class="kaluki-way"
            key=${place}
            autofocus=${place === 0}
            aria-label=${`${way.cards.map(cardSpoken).join(", ")}. ${way.note}`}
            onClick=${() => {
              onClose();
              way.then();
            }}
          >
            <span class="kaluki-row" aria-hidden="true"><${MeldCards} cards=${way.cards} /></span>
            <span class="kaluki-way-note" aria-hidden="true">${way.note}</span>
          </button>`,
      )}
    </div>
  <//>`;
}

/**
 * @param {object} props
 * @param {readonly string[]} props.pile
 * @param {() => void} props.onClose
 */
export function PileDialog({ pile, onClose }) {
  const cards = [...pile].reverse();
  return html`<${Dialog} title=${t("Discard pile")} onClose=${onClose}>
    <p class="muted">${t("The top card comes first. Everybody has seen all of them.")}</p>
    <ol class="kaluki-pile-list">
      ${cards.map((card, place) => html`<li key=${place}><${Card} card=${card} /></li>`)}
    </ol>
  <//>`;
}
