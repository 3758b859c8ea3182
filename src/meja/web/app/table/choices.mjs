// @ts-check
// What may be done that is not a card of the hand: bids, declarations, and the card that is called.
import { useRef } from "preact/hooks";
import { html } from "../html.mjs";
import { cardSpoken, rankSign, suitName, suitSign, t } from "../words.mjs";
import { useChoiceFocus } from "./focus.mjs";
import { capital, contractWord, stake } from "./tell.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./surface.d.ts").View} View */
/** @typedef {{action: string, text: string, note?: string, label?: string, quiet?: boolean}} Choice */

/** Ranks of Calabresella from the best down. */
const RANKS = "32AKQJ7654";

/** @param {{update: Update, sending: string | null, use: (action: string) => void}} props */
export function Choices({ update, sending, use }) {
  const view = /** @type {View} */ (update.view);
  const choices = choicesOf(update);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useChoiceFocus(box, choices.length ? `${update.state.deal} ${view.phase}` : "");
  if (!choices.length) return null;
  return html`<div class="choices" role="group" aria-label=${view.prompt} ref=${box} onKeyDown=${onceEach}>
    ${choices.map(({ action, text, note, label, quiet }) => {
      const may = view.legal.includes(action);
      return html`<button
        type="button"
        class="choice"
        key=${action}
        data-quiet=${quiet ? "" : undefined}
        data-may-not=${may ? undefined : ""}
        data-sending=${sending === action ? "" : undefined}
        aria-label=${label}
        aria-disabled=${sending ? "true" : undefined}
        onClick=${() => !sending && use(action)}
      >
        <span class="choice-text">${text}</span>
        ${note && html`<small>${note}</small>`}
      </button>`;
    })}
  </div>`;
}

/** A key that is still held from before chooses nothing. @param {KeyboardEvent} event */
function onceEach(event) {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}

/** What is offered; what the rules forbid now stands there too, and the table says why. @param {Update} update @returns {Choice[]} */
function choicesOf(update) {
  const { game, rules } = update.state;
  const view = /** @type {View} */ (update.view);
  const pass = { action: "pass", text: capital(t("pass")), quiet: true };
  if (game === "smear" && view.phase === "bid") {
    const least = Number(rules.min_bid ?? 2);
    const numbers = Array.from({ length: 4 - least + 1 }, (_, place) => least + place);
    return [pass, ...numbers.map((n) => ({ action: `bid ${n}`, text: String(n), label: t("bid {bid}", { bid: n }) }))];
  }
  if (game === "calabresella" && view.phase === "auction") {
    return [pass, ...["chiamo", "solo", "solissimo"].map((bid) => ({ action: `bid ${bid}`, text: capital(contractWord(bid)), note: `${stakeNote(stake(rules, bid, null))}: ${meaning(bid)}` }))];
  }
  if (game === "calabresella" && view.phase === "raise") {
    return ["plain", "dividete", "scegliete"].map((word) => ({
      action: `raise ${word}`,
      text: capital(contractWord(word)),
      note: `${stakeNote(stake(rules, "solissimo", word))}: ${meaning(word)}`,
    }));
  }
  return [];
}

/** @param {number} n */
function stakeNote(n) {
  return t("stake {n}", { n });
}

/** @param {string} word */
function meaning(word) {
  switch (word) {
    case "chiamo":
      return t("call a card, take the monte");
    case "solo":
      return t("take the monte");
    case "solissimo":
      return t("your cards as dealt");
    case "plain":
      return t("nobody exchanges");
    case "dividete":
      return t("each opponent exchanges two cards");
    default:
      return t("the opponents choose from the monte");
  }
}

/** The forty cards, to call one. @param {{view: View, sending: string | null, use: (action: string) => void}} props */
export function CallPicker({ view, sending, use }) {
  const legal = new Set(view.legal);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useChoiceFocus(box, view.phase);
  return html`<div class="call-picker" ref=${box} onKeyDown=${onceEach} role="group" aria-label=${view.prompt} onClick=${(/** @type {Event} */ event) => event.stopPropagation()}>
    <p>${t("Call a card")}</p>
    ${[..."shcd"].map(
      (suit) => html`<div class="call-suit" role="group" aria-label=${suitName(suit)} key=${suit}>
        ${[...RANKS].map((rank) => {
          const card = rank + suit;
          const action = `call ${card}`;
          return html`<button
            type="button"
            key=${card}
            data-red=${suit === "h" || suit === "d" ? "" : undefined}
            data-own=${view.hand.includes(card) ? "" : undefined}
            data-may-not=${legal.has(action) ? undefined : ""}
            data-sending=${sending === action ? "" : undefined}
            onClick=${() => !sending && use(action)}
          >
            <span class="visually-hidden">${view.hand.includes(card) ? t("{card}, in your hand", { card: cardSpoken(card) }) : cardSpoken(card)}</span>
            <b aria-hidden="true">${rankSign(rank)}</b><span aria-hidden="true">${suitSign(suit)}</span>
          </button>`;
        })}
      </div>`,
    )}
  </div>`;
}
