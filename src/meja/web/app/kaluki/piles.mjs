// @ts-check
// The stock and the discard pile.

import { Card } from "../card.mjs";
import { html } from "../html.mjs";
import { startDrag } from "../table/drag.mjs";
import { cardSpoken, plural, t } from "../words.mjs";

/**
 * @param {object} props
 * @param {import("./plays.mjs").KalukiView} props.view
 * @param {boolean} props.mine whether it is the own turn
 * @param {boolean} props.canTake
 * @param {boolean} props.taking the top card is chosen for a meld
 * @param {boolean} props.canDiscard one card is lifted, which may go there
 * @param {() => void} props.onStock
 * @param {() => void} props.onPile
 * @param {() => void} props.onLook
 * @param {(target: string | null, load: import("./hand.mjs").Load) => void} props.onDrop
 */
export function Piles({ view, mine, canTake, taking, canDiscard, onStock, onPile, onLook, onDrop }) {
  const drawing = mine && view.phase === "draw";
  const top = view.pile.length ? view.pile[view.pile.length - 1] : null;
  const left = plural(view.stock, t("{count} card left", { count: view.stock }), t("{count} cards left", { count: view.stock }));

  /** @param {PointerEvent} event
   * @param {"stock" | "pile"} from */
  function grab(event, from) {
    if (drawing) {
      startDrag(event, {
        payload: /** @type {import("./hand.mjs").Load} */ ({ from }),
        onDrop: (target, load) => onDrop(target, load),
      });
    }
  }

  return html`<div class="kaluki-piles">
    <div class="kaluki-pile">
      <button
        type="button"
        class="kaluki-stack draggable"
        data-kind="stock"
        data-fly="stock"
        data-live=${drawing ? "" : undefined}
        data-thick=${Math.min(4, Math.ceil(view.stock / 16))}
        aria-label=${drawing ? t("Draw a card: {left} in the stock", { left }) : t("Stock: {left}", { left })}
        onClick=${onStock}
        onPointerDown=${(/** @type {PointerEvent} */ event) => grab(event, "stock")}
      >
        ${view.stock ? html`<${Card} card=${null} hidden />` : html`<${Card} card=${null} empty hidden />`}
      </button>
      <span class="kaluki-count" aria-hidden="true">${view.stock}</span>
    </div>
    <div class="kaluki-pile">
      <button
        type="button"
        class="kaluki-stack draggable"
        data-kind="pile"
        data-fly="pile"
        data-drop="pile"
        data-live=${drawing && canTake ? "" : undefined}
        data-taking=${taking ? "" : undefined}
        data-discard=${canDiscard ? "" : undefined}
        aria-pressed=${drawing && !view.opened[view.seat ?? 0] ? taking : undefined}
        aria-label=${pileLabel(top, drawing, canDiscard)}
        onClick=${onPile}
        onPointerDown=${(/** @type {PointerEvent} */ event) => grab(event, "pile")}
      >
        ${view.pile.length > 1 && html`<span class="kaluki-under" aria-hidden="true"><${Card} card=${view.pile[view.pile.length - 2]} hidden /></span>`}
        <span class="kaluki-top" data-fly="pile-top" key=${view.pile.length}>
          ${top ? html`<${Card} card=${top} hidden />` : html`<${Card} card=${null} empty hidden />`}
        </span>
      </button>
      <button type="button" class="kaluki-count" aria-label=${t("{count}: look through the discard pile", { count: view.pile.length })} disabled=${!top} onClick=${onLook}>
        ${view.pile.length}
      </button>
    </div>
  </div>`;
}

/** @param {string | null} top
 * @param {boolean} drawing
 * @param {boolean} discarding */
function pileLabel(top, drawing, discarding) {
  if (!top) {
    return t("The discard pile is empty.");
  }
  const card = cardSpoken(top);
  if (drawing) {
    return t("Take {card} from the discard pile", { card });
  }
  return discarding ? t("Discard here; on top lies {card}", { card }) : t("Discard pile: {card} on top", { card });
}
