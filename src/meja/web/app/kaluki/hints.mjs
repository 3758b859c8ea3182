// @ts-check
// How far one is from opening, which melds are in the hand, and what the turn still asks for.

import { html } from "../html.mjs";
import { cardName, cardSpoken, rankSign, t } from "../words.mjs";
import { trayPoints } from "./choosing.mjs";
import { MeldCards, meldName } from "./lying.mjs";
import { isRun, meldPoints, physical, standsFor, without } from "./melds.mjs";

/**
 * @param {object} props
 * @param {import("./plays.mjs").KalukiView} props.view
 * @param {readonly string[]} props.held what is in the hand and not put aside
 * @param {ReturnType<typeof import("./choosing.mjs").debts>} props.debt
 * @param {import("./melds.mjs").Values} props.values
 * @param {import("./choosing.mjs").Part[]} props.tray
 * @param {(number: number) => void} props.onMeld
 * @param {() => void} props.onBest
 * @param {(place: number) => void} props.onPutBack
 */
export function Hints({ view, held, debt, values, tray, onMeld, onBest, onPutBack }) {
  const { best, seat } = view;
  const over = view.phase === "over";
  const opened = seat !== null && view.opened[seat];
  return html`<div class="kaluki-hints">
    <p class="kaluki-prompt">${view.prompt}</p>
    ${best && !over && !opened && html`<${Opening} best=${best} tray=${tray} values=${values} onBest=${onBest} onPutBack=${onPutBack} />`}
    ${best &&
    !over &&
    best.melds.length > 0 &&
    html`<ul class="kaluki-found" aria-label=${t("Melds in your hand")}>
      ${best.melds.map((meld, number) => {
        const points = meldPoints(meld, values);
        return without(held, meld.map(physical)) && html`<li key=${number}>
          <button
            type="button"
            class="kaluki-chip"
            data-meld=${number % 6}
            aria-label=${`${number + 1} ${shortName(meld)} ${points}. ${t("Choose {cards}", { cards: meld.map(cardSpoken).join(", ") })}`}
            onClick=${() => onMeld(number)}
          >
            <span class="kaluki-chip-number" aria-hidden="true">${number + 1}</span>
            <span class="kaluki-chip-cards" aria-hidden="true">${shortName(meld)}</span>
            <span class="kaluki-chip-points" aria-hidden="true">${points}</span>
          </button>
        </li>`;
      })}
    </ul>`}
    ${debt.joker && html`<p class="kaluki-debt">${t("The joker you swapped must be laid before you discard.")}</p>`}
    ${debt.taken &&
    view.taken &&
    html`<p class="kaluki-debt">
      ${debt.taken === "must-lay"
        ? t("You took {card}: it must be laid before you discard.", { card: cardName(view.taken) })
        : t("You took {card}: it may not be discarded in this turn.", { card: cardName(view.taken) })}
    </p>`}
  </div>`;
}

/** A meld as short as it can be told: a run by its ends, a set by its rank.
 * @param {readonly string[]} meld */
function shortName(meld) {
  const ends = [meld[0], meld[meld.length - 1]].map((card) => cardName(standsFor(card)));
  return isRun(meld) ? ends.join("–") : `${meld.length} × ${rankSign(standsFor(meld[0])[0])}`;
}

/** How much of the opening is there.
 * @param {object} props
 * @param {NonNullable<import("./plays.mjs").KalukiView["best"]>} props.best
 * @param {import("./choosing.mjs").Part[]} props.tray
 * @param {import("./melds.mjs").Values} props.values
 * @param {() => void} props.onBest
 * @param {(place: number) => void} props.onPutBack */
function Opening({ best, tray, values, onBest, onPutBack }) {
  const points = tray.length ? trayPoints(tray, values) : best.points;
  const enough = points >= best.needed;
  const text = t("To open: {points} of {needed}", { points, needed: best.needed });
  return html`<div class="kaluki-opening" data-enough=${enough ? "" : undefined}>
    <button
      type="button"
      class="kaluki-meter"
      disabled=${!best.melds.length}
      aria-label=${`${text}. ${tray.length ? t("That much is put aside.") : t("Choose the best cards for it.")}`}
      onClick=${onBest}
    >
      <span class="kaluki-meter-text">${text}</span>
      <span class="kaluki-meter-track" aria-hidden="true">
        <span class="kaluki-meter-fill" style=${{ width: `${Math.min(100, (100 * points) / best.needed)}%` }}></span>
      </span>
    </button>
    ${tray.length > 0 &&
    html`<ul class="kaluki-tray" data-drop="felt" aria-label=${t("Put aside for the opening")}>
      ${tray.map(
        (part, place) =>
          html`<li key=${part.cards.join()} class="kaluki-part">
            <span class="kaluki-row" role="img" aria-label=${part.cards.map(cardSpoken).join(", ")}><${MeldCards} cards=${part.cards} /></span>
            <span class="kaluki-part-points">${meldPoints(part.cards, values)}</span>
            <button type="button" class="kaluki-back" aria-label=${t("Put {cards} back into the hand", { cards: meldName(part.cards) })} onClick=${() => onPutBack(place)}>×</button>
          </li>`,
      )}
    </ul>`}
  </div>`;
}
