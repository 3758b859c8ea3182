// @ts-check
// The own hand: a list of cards that are chosen by tap or key, put in order and laid by drag.

import { useLayoutEffect, useRef } from "preact/hooks";
import { Card } from "../card.mjs";
import { html } from "../html.mjs";
import { startDrag } from "../table/drag.mjs";
import { pace } from "../table/motion.mjs";
import { cardSpoken, t } from "../words.mjs";
import { placeAt } from "./fan.mjs";
import { cardOf } from "./order.mjs";

/** Two taps on a card within this time are one double tap. */
const DOUBLE = 350;

/** What a card wears besides its face.
 * @typedef {{ meld: number | null, fresh: boolean, kept: boolean, sending: boolean }} Mark */

/** What a dragged card has with it.
 * @typedef {{ from: "hand", keys: string[] } | { from: "stock" } | { from: "pile" }} Load */

/**
 * @param {object} props
 * @param {string[]} props.keys the cards in their order, each with a name of its own
 * @param {ReadonlySet<string>} props.chosen
 * @param {(key: string) => Mark} props.markOf
 * @param {import("./fan.mjs").Fan} props.laid
 * @param {number} props.size the width of a card
 * @param {string | null} props.focus the card that the keyboard is on
 * @param {(key: string) => void} props.onFocus
 * @param {(key: string) => void} props.onTap
 * @param {(key: string) => void} props.onDouble
 * @param {(keys: string[], place: number) => void} props.onMove
 * @param {(target: string | null, load: Load) => void} props.onDrop
 * @param {number | null} props.gap where what is dragged would go
 * @param {(place: number | null) => void} props.onGap
 */
export function Hand({ keys, chosen, markOf, laid, size, focus, onFocus, onTap, onDouble, onMove, onDrop, gap, onGap }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const tapped = useRef({ key: "", at: 0 });
  useGlide(box, keys, laid);
  const reachable = focus && keys.includes(focus) ? focus : keys[0];

  /** @param {string} key */
  function tap(key) {
    const again = tapped.current.key === key && performance.now() - tapped.current.at < DOUBLE;
    tapped.current = { key: again ? "" : key, at: performance.now() };
    if (again) {
      onDouble(key);
    } else {
      onTap(key);
    }
  }

  /** @param {number} x @param {number} y */
  function placeUnder(x, y) {
    const at = box.current?.getBoundingClientRect();
    return at ? placeAt(laid, size, x - at.left, y - at.top) : 0;
  }

  /** @param {PointerEvent} event
   * @param {string} key */
  function grab(event, key) {
    const along = chosen.has(key) ? keys.filter((other) => chosen.has(other)) : [key];
    const ghosts = along.map((other) => elementOf(box.current, other)).filter((element) => element !== null);
    startDrag(event, {
      payload: along,
      ghosts,
      onMove: (at) => onGap(at.element?.dataset.drop === "hand" ? placeUnder(at.x, at.y) : null),
      onDrop: (target, load, at) => {
        if (target === "hand") {
          onMove(load, placeUnder(at.x, at.y));
        } else {
          onDrop(target, { from: "hand", keys: load });
        }
      },
      onEnd: () => onGap(null),
    });
  }

  /** @param {KeyboardEvent} event
   * @param {string} key */
  function press(event, key) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const place = keys.indexOf(key);
    const goal = neighbour(event.key, place, laid);
    if (event.key === " ") {
      onTap(key);
    } else if (goal !== null && event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      onMove([key], event.key === "ArrowLeft" ? goal : goal + 1);
    } else if (goal !== null) {
      onFocus(keys[goal]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  useLayoutEffect(() => {
    // The focus follows only where it was among the cards before.
    if (focus && box.current?.contains(document.activeElement) && keys.includes(focus)) {
      elementOf(box.current, focus)?.focus({ preventScroll: true });
    }
  }, [focus, keys.join()]);

  return html`<div
    class="kaluki-hand"
    role="listbox"
    aria-multiselectable="true"
    aria-orientation="horizontal"
    aria-label=${t("Your hand")}
    data-drop="hand"
    data-fly="hand"
    style=${{ height: `${laid.height}px`, "--card": `${size}px` }}
    ref=${box}
  >
    ${keys.map((key, place) => {
      const mark = markOf(key);
      const spot = laid.spots[place] ?? { x: 0, y: 0 };
      return html`<div
        key=${key}
        class="kaluki-card draggable"
        role="option"
        tabindex=${key === reachable ? 0 : -1}
        aria-selected=${chosen.has(key)}
        aria-label=${spoken(cardOf(key), mark)}
        data-key=${key}
        data-fly=${`hand:${key}`}
        data-meld=${mark.meld === null ? undefined : mark.meld % 6}
        data-sending=${mark.sending ? "" : undefined}
        style=${{ left: `${spot.x}px`, top: `${spot.y}px`, zIndex: place }}
        onClick=${() => tap(key)}
        onFocus=${() => onFocus(key)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => press(event, key)}
        onPointerDown=${(/** @type {PointerEvent} */ event) => grab(event, key)}
      >
        <${Card} card=${cardOf(key)} hidden />
        ${mark.meld !== null && html`<span class="kaluki-tab" aria-hidden="true">${mark.meld + 1}</span>`}
        ${mark.fresh && html`<span class="kaluki-new" aria-hidden="true"></span>`}
        ${mark.kept && html`<span class="kaluki-kept" aria-hidden="true"></span>`}
      </div>`;
    })}
    ${gap !== null && html`<div class="kaluki-gap" style=${gapStyle(gap, laid, size)}></div>`}
  </div>`;
}

/** @param {HTMLElement | null} box
 * @param {string} key
 * @returns {HTMLElement | null} */
function elementOf(box, key) {
  return box?.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? null;
}

/** A card as it is read out, with what it wears.
 * @param {string} card
 * @param {Mark} mark */
function spoken(card, mark) {
  const notes = [];
  if (mark.meld !== null) {
    notes.push(t("in meld {number}", { number: mark.meld + 1 }));
  }
  if (mark.fresh) {
    notes.push(t("just drawn"));
  }
  if (mark.kept) {
    notes.push(t("just taken"));
  }
  return [cardSpoken(card), ...notes].join(", ");
}

/** The place that a key leads to, or null.
 * @param {string} key
 * @param {number} place
 * @param {import("./fan.mjs").Fan} laid */
function neighbour(key, place, laid) {
  const last = laid.spots.length - 1;
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, place - 1);
    case "ArrowRight":
      return Math.min(last, place + 1);
    case "Home":
      return 0;
    case "End":
      return last;
    case "ArrowUp":
    case "ArrowDown": {
      const { x, row } = laid.spots[place];
      const wanted = row + (key === "ArrowUp" ? -1 : 1);
      let best = place;
      laid.spots.forEach((spot, other) => {
        const closer = laid.spots[best].row !== wanted || Math.abs(spot.x - x) < Math.abs(laid.spots[best].x - x);
        if (spot.row === wanted && closer) {
          best = other;
        }
      });
      return best;
    }
    default:
      return null;
  }
}

/** @param {number} place
 * @param {import("./fan.mjs").Fan} laid
 * @param {number} size */
function gapStyle(place, laid, size) {
  const before = laid.spots[place - 1];
  const after = laid.spots[place];
  // Between two rows the mark stands at the end of the upper one.
  const spot = after && (!before || before.row === after.row) ? after : { ...before, x: (before?.x ?? 0) + size };
  return { left: `${spot.x - 2}px`, top: `${spot.y}px`, height: `${size * 1.4}px` };
}

/** Cards that have got another place glide there.
 * @param {{ current: HTMLDivElement | null }} box
 * @param {string[]} keys
 * @param {import("./fan.mjs").Fan} laid */
function useGlide(box, keys, laid) {
  const before = useRef(/** @type {Map<string, { x: number, y: number }>} */ (new Map()));
  useLayoutEffect(() => {
    const now = new Map(keys.map((key, place) => [key, laid.spots[place]]));
    const time = 220 * pace();
    if (time) {
      for (const [key, spot] of now) {
        const was = before.current.get(key);
        if (was && spot && (was.x !== spot.x || was.y !== spot.y)) {
          elementOf(box.current, key)?.animate(
            [{ translate: `${was.x - spot.x}px ${was.y - spot.y}px` }, { translate: "0px 0px" }],
            { duration: time, easing: "cubic-bezier(.2,.75,.3,1)", composite: "add" },
          );
        }
      }
    }
    before.current = now;
  });
}
