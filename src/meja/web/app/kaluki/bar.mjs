// @ts-check
// The buttons between the table and the hand: what can be done with the cards that are chosen.

import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { cardName, plural, t } from "../words.mjs";
import { trayPoints } from "./choosing.mjs";
import { SORTINGS } from "./order.mjs";

/**
 * @param {object} props
 * @param {import("./plays.mjs").KalukiView} props.view
 * @param {boolean} props.mine
 * @param {boolean} props.busy an action is on its way
 * @param {import("./choosing.mjs").Choice} props.choice
 * @param {boolean} props.canTake
 * @param {boolean} props.taking
 * @param {import("./choosing.mjs").Part[]} props.tray
 * @param {import("./melds.mjs").Values} props.values
 * @param {import("./order.mjs").Sorting} props.sorting
 * @param {boolean} props.canUndo
 * @param {(sorting: import("./order.mjs").Sorting) => void} props.onSort
 * @param {() => void} props.onDraw
 * @param {() => void} props.onTake
 * @param {() => void} props.onLay
 * @param {() => void} props.onDiscard
 * @param {() => void} props.onClear
 * @param {() => void} props.onUndo
 */
export function Bar({ view, mine, busy, choice, canTake, taking, tray, values, sorting, canUndo, onSort, onDraw, onTake, onLay, onDiscard, onClear, onUndo }) {
  const drawing = mine && view.phase === "draw";
  // To discard stands on the other side than to draw and to lay: a second click never throws a card away.
  const playing = mine && view.phase === "play";
  const some = choice.cards.length > 0;
  const top = view.pile[view.pile.length - 1];
  const opened = view.seat !== null && view.opened[view.seat];
  const needed = view.best?.needed ?? 0;
  const ready = tray.length > 0 && trayPoints(tray, values) >= needed;
  const aside = !some || (choice.parts.length > 0 && (tray.length > 0 || !choice.layings.length));
  // What is put aside may still be too little; what is laid at once may not.
  const worth = some ? (choice.shaped && !aside ? choice.points : needed) : trayPoints(tray, values);
  const missing = opened || !(some || tray.length) ? 0 : Math.max(0, needed - worth);
  return html`<div class="kaluki-bar" aria-busy=${busy ? "true" : undefined}>
    <div class="kaluki-bar-start">
      ${some
        ? html`<button type="button" class="kaluki-clear" aria-label=${t("Put the cards back down")} onClick=${onClear}>×</button>
            ${choice.cards.length > 1 &&
            html`<span class="kaluki-sum" data-shaped=${choice.shaped && !missing ? "" : undefined}>
              <b>${choice.points}</b>
              <span>${plural(choice.cards.length, t("{count} card", { count: choice.cards.length }), t("{count} cards", { count: choice.cards.length }))}</span>
            </span>`}
            ${choice.single !== null &&
            (playing
              ? html`<button type="button" class="button small" disabled=${busy} onClick=${onDiscard}>
                  ${t("Discard {card}", { card: cardName(choice.single) })}
                </button>`
              : html`<span class="kaluki-sum"><b>${cardName(choice.single)}</b></span>`)}`
        : html`<${Sorter} sorting=${sorting} onSort=${onSort} />`}
    </div>
    <div class="kaluki-bar-end">
      ${canUndo &&
      html`<button type="button" class="icon-button" aria-label=${t("Take back")} title=${t("Take back")} disabled=${busy} onClick=${onUndo}>
        <${Icon} name="undo" />
      </button>`}
      ${drawing &&
      !some &&
      !tray.length &&
      html`${canTake &&
        html`<button type="button" class="button small" disabled=${busy} onClick=${onTake}>
          ${t("Take {card}", { card: top ? cardName(top) : "" })}
        </button>`}
        <button type="button" class="button small primary" disabled=${busy} onClick=${onDraw}>${t("Draw")}</button>`}
      ${mine &&
      (some ? choice.cards.length > 1 : tray.length > 0) &&
      html`<button
        type="button"
        class=${`button small ${(some ? choice.layings.length || choice.parts.length : ready) ? "primary" : missing ? "short" : ""}`}
        disabled=${busy}
        aria-describedby=${missing ? "kaluki-missing" : undefined}
        onClick=${onLay}
      >
        ${layLabel({ some, choice, taking, tray, opened, playing, points: trayPoints(tray, values) })}
        ${missing > 0 && html`<small id="kaluki-missing" aria-hidden="true">${t("{missing} missing", { missing })}</small>`}
      </button>`}
    </div>
  </div>`;
}

/** What pressing the button does with the cards.
 * @param {{ some: boolean, choice: import("./choosing.mjs").Choice, taking: boolean, tray: import("./choosing.mjs").Part[],
 *   opened: boolean, playing: boolean, points: number }} now */
function layLabel({ some, choice, taking, tray, opened, points }) {
  if (!some) {
    return t("Open with {points}", { points });
  }
  if (choice.parts.length && (tray.length || !choice.layings.length)) {
    return t("Put aside: {points}", { points: choice.points });
  }
  if (taking) {
    return t("Take and open: {points}", { points: choice.points });
  }
  if (!opened && choice.shaped) {
    return t("Open with {points}", { points: choice.points });
  }
  return choice.shaped ? t("Lay {points}", { points: choice.points }) : t("Lay");
}

/** @param {object} props
 * @param {import("./order.mjs").Sorting} props.sorting
 * @param {(sorting: import("./order.mjs").Sorting) => void} props.onSort */
function Sorter({ sorting, onSort }) {
  const next = SORTINGS[(SORTINGS.findIndex((name) => name === sorting) + 1) % SORTINGS.length];
  const name = sorting === "own" ? t("My order") : sortingName(sorting);
  return html`<div class="kaluki-sorter" role="group" aria-label=${t("Sort the hand")}>
      ${SORTINGS.map(
        (one) =>
          html`<button type="button" key=${one} aria-pressed=${sorting === one} onClick=${() => onSort(one)}>${sortingName(one)}</button>`,
      )}
    </div>
    <button type="button" class="kaluki-sort" aria-label=${t("Sort the hand: {name}", { name })} onClick=${() => onSort(next)}>
      <${Icon} name="sort" />${name}
    </button>`;
}

/** @param {typeof SORTINGS[number]} sorting */
function sortingName(sorting) {
  switch (sorting) {
    case "suit":
      return t("Suit");
    case "rank":
      return t("Rank");
    default:
      return t("Melds");
  }
}
