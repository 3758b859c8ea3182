// @ts-check
// The own hand of a trick game: a fan that can be tapped, dragged and played with the keyboard.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Card } from "../card.mjs";
import { html } from "../html.mjs";
import { settings } from "../settings.mjs";
import { cardSpoken, suitName, t } from "../words.mjs";
import { startDrag } from "./drag.mjs";
import { useHandFocus } from "./focus.mjs";
import { flyIn } from "./motion.mjs";

/** Suits in the order they are held: colours alternate. */
const SUITS = "shcd";
/** Of every card at least so much can be hit. */
const LEAST_STEP = 26;

/** Where the cards of the hand were drawn last: cards fly from there. @type {Map<string, DOMRect>} */
export const handPlaces = new Map();

/** The hand in the order it is held. @param {string[]} cards */
export function held(cards) {
  return [...SUITS].flatMap((suit) => cards.filter((card) => card[1] === suit));
}

/**
 * @param {object} props
 * @param {string[]} props.cards
 * @param {boolean} props.turn it is the own turn, whatever is to be done
 * @param {string | null} props.verb what a card is used for now ("play"), null when it is not the own turn
 * @param {Set<string>} props.legal cards that may be used
 * @param {string | null} props.sending the card that is on its way
 * @param {string | null} props.refused the card that was refused
 * @param {string[]} props.fresh cards that came to the hand lately: they are marked
 * @param {DOMRect | null} props.dealtFrom while cards are dealt: from where
 * @param {(card: string) => void} props.onUse
 * @param {string} props.label
 */
export function Hand({ cards, turn, verb, legal, sending, refused, fresh, dealtFrom, onUse, label }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const size = useSize(box);
  const [lifted, setLifted] = useState(/** @type {string | null} */ (null));
  const [focused, setFocused] = useState(/** @type {string | null} */ (null));
  const [dropped, setDropped] = useState(/** @type {{card: string, x: number, y: number} | null} */ (null));
  const order = held(cards);
  const fan = layFan(order.length, size, settings.largeCards.value);

  useEffect(() => {
    if (lifted && (!cards.includes(lifted) || !verb)) setLifted(null);
  }, [cards, verb, lifted]);
  useEffect(() => {
    if (!sending) setDropped(null);
  }, [sending]);
  useLayoutEffect(() => {
    handPlaces.clear();
    for (const element of box.current?.querySelectorAll("[data-card]") ?? []) {
      handPlaces.set(/** @type {HTMLElement} */ (element).dataset.card ?? "", element.getBoundingClientRect());
    }
  });

  /** @param {string} card */
  const tap = (card) => {
    if (!verb || sending) return;
    if (settings.oneTap.value || lifted === card) {
      setLifted(null);
      onUse(card);
    } else {
      setLifted(card);
    }
  };

  /** @param {string} card */
  const focusCard = (card) => {
    setFocused(card);
    /** @type {HTMLElement | null} */ (box.current?.querySelector(`[data-card="${card}"]`) ?? null)?.focus();
  };

  /** @param {KeyboardEvent} event @param {string} card */
  const key = (event, card) => {
    const at = order.indexOf(card);
    const suits = [...new Set(order.map((other) => other[1]))];
    const suit = suits.indexOf(card[1]);
    const first = (/** @type {string} */ wanted) => order.find((other) => other[1] === wanted) ?? card;
    const moves = {
      ArrowRight: order[Math.min(at + 1, order.length - 1)],
      ArrowLeft: order[Math.max(at - 1, 0)],
      ArrowDown: first(suits[Math.min(suit + 1, suits.length - 1)]),
      ArrowUp: first(suits[Math.max(suit - 1, 0)]),
      Home: order[0],
      End: order[order.length - 1],
    };
    const to = moves[/** @type {keyof typeof moves} */ (event.key)];
    if (to) {
      event.preventDefault();
      focusCard(to);
    } else if (event.key === "Enter") {
      // The focus has chosen the card already.
      event.preventDefault();
      if (verb && !sending && !event.repeat) {
        setLifted(null);
        onUse(card);
      }
    } else if (event.key === "Escape" && lifted) {
      event.preventDefault();
      setLifted(null);
    }
  };

  // Ranks from anywhere on the page, suits with Shift: both go to the next such card. Letters alone are questions.
  const finder = useRef((/** @type {KeyboardEvent} */ _event) => {});
  finder.current = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || !order.length) return;
    if (/** @type {Element} */ (event.target).closest?.("input, textarea, select, dialog")) return;
    const typed = event.key.toUpperCase();
    const fits = event.shiftKey
      ? (/** @type {string} */ card) => "SHDC".includes(typed) && card[1] === typed.toLowerCase()
      : (/** @type {string} */ card) => card[0] === (typed === "0" || typed === "1" ? "T" : typed === "T" ? "" : typed);
    if (typed.length !== 1 || !order.some(fits)) return;
    const from = focused ? order.indexOf(focused) : -1;
    const found = [...order.slice(from + 1), ...order.slice(0, from + 1)].find(fits);
    if (found) {
      event.preventDefault();
      focusCard(found);
    }
  };
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => finder.current(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);

  // Where the card of the focus is gone, the next try begins at a card that may be played.
  const stop = focused && order.includes(focused) ? focused : order.find((card) => legal.has(card)) ?? order[0];
  useHandFocus(box, turn, '.hand-card[tabindex="0"]', ".hand-card[data-may]");
  return html`<div
    class="hand"
    ref=${box}
    role="listbox"
    aria-label=${label}
    aria-orientation="horizontal"
    data-live=${verb ? "" : undefined}
    style=${{ "--hand-height": `${fan.height}px`, "--card-width": `${fan.card}px` }}
  >
    ${size.width > 0 && [...SUITS].map((suit) => {
      const own = order.filter((card) => card[1] === suit);
      return (
        own.length > 0 &&
        html`<div role="group" aria-label=${suitName(suit)} key=${suit} class="suit-group">
          ${own.map((card) => {
            const place = fan.places[order.indexOf(card)];
            const may = legal.has(card);
            return html`<${HandCard}
              key=${card}
              card=${card}
              place=${place}
              index=${order.indexOf(card)}
              may=${verb !== null && may}
              mayNot=${verb !== null && !may}
              lifted=${lifted === card}
              sending=${sending === card}
              refused=${refused === card}
              fresh=${fresh.includes(card)}
              dealtFrom=${dealtFrom}
              shift=${dropped?.card === card ? dropped : null}
              tabIndex=${card === stop ? 0 : -1}
              onTap=${() => tap(card)}
              onKey=${(/** @type {KeyboardEvent} */ event) => key(event, card)}
              onFocus=${() => setFocused(card)}
              onDown=${(/** @type {PointerEvent} */ event) => {
                if (!verb || sending) return;
                startDrag(event, {
                  payload: card,
                  onDrop: (target, _card, at) => {
                    if (target !== "felt") return;
                    setLifted(null);
                    setDropped({ card, x: at.x - event.clientX, y: at.y - event.clientY });
                    onUse(card);
                  },
                });
              }}
            />`;
          })}
        </div>`
      );
    })}
  </div>`;
}

/** @param {any} props */
function HandCard({ card, place, index, may, mayNot, lifted, sending, refused, fresh, dealtFrom, shift, tabIndex, onTap, onKey, onFocus, onDown }) {
  const element = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => {
    if (dealtFrom && element.current) void flyIn(element.current, dealtFrom, { duration: 340, delay: index * 55, turn: -90, fade: true });
  }, []);
  useLayoutEffect(() => {
    if (refused) element.current?.animate([0, -7, 6, -4, 2, 0].map((x) => ({ translate: `${x}px 0` })), { duration: 320 });
  }, [refused]);
  const spoken = [
    cardSpoken(card),
    ...(may ? [t("may be played")] : []),
    ...(sending ? [t("sending")] : []),
    ...(fresh ? [t("new")] : []),
  ].join(", ");
  const x = place.x + (shift?.x ?? 0);
  const y = place.y + (shift?.y ?? 0);
  return html`<button
    type="button"
    role="option"
    ref=${element}
    class="hand-card draggable"
    data-card=${card}
    data-may=${may ? "" : undefined}
    data-may-not=${mayNot ? "" : undefined}
    data-lifted=${lifted ? "" : undefined}
    data-sending=${sending ? "" : undefined}
    data-fresh=${fresh ? "" : undefined}
    aria-label=${spoken}
    aria-selected=${lifted ? "true" : "false"}
    aria-busy=${sending ? "true" : undefined}
    tabIndex=${tabIndex}
    style=${{ "--x": `${x}px`, "--y": `${y}px`, "--turn": `${shift ? 0 : place.turn}deg`, "z-index": index + 1 }}
    onClick=${onTap}
    onKeyDown=${onKey}
    onFocus=${onFocus}
    onPointerDown=${onDown}
  >
    <${Card} card=${card} hidden />
    ${sending && html`<span class="sending-mark" aria-hidden="true" />`}
  </button>`;
}

/** The width of the hand's box and the height of the window. @param {{current: HTMLElement | null}} box */
function useSize(box) {
  const [size, setSize] = useState({ width: 0, height: window.innerHeight });
  useLayoutEffect(() => {
    const measure = () => {
      const width = box.current?.clientWidth ?? 0;
      setSize((old) => (old.width === width && old.height === window.innerHeight ? old : { width, height: window.innerHeight }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (box.current) observer.observe(box.current);
    window.addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, []);
  return size;
}

/**
 * Where each card of a fan lies (its left top corner in the box), in one row or two.
 * @param {number} count @param {{width: number, height: number}} size @param {boolean} large
 */
export function layFan(count, { width, height }, large) {
  const low = height < 500;
  // A few cards may be larger than many.
  const share = Math.max(0.2, Math.min(0.25, 1.75 / Math.max(count, 1))) * (large ? 1.2 : 1);
  let card = Math.min(width * share, height * (low ? 0.27 : large ? 0.2 : 0.165), large ? 190 : 150);
  card = Math.max(card, low ? 64 : 58);
  /** The half angle of the fan in degrees, and how far its outer cards lean out. */
  const half = Math.min(count * 0.75, 7) * (low ? 0.5 : 1);
  const lean = card * 1.4 * Math.sin((half * Math.PI) / 180);
  const room = width - 12;
  const needed = (/** @type {number} */ n) => (n - 1) * LEAST_STEP + card;
  let rows = 1;
  if (needed(count) > room) {
    // A somewhat smaller card is better than a second row, a much smaller one is not.
    const smaller = room - (count - 1) * LEAST_STEP;
    if (smaller >= Math.max(52, card * 0.72)) {
      card = smaller;
    } else {
      rows = 2;
      card = Math.min(card * 0.92, room - (Math.ceil(count / 2) - 1) * LEAST_STEP);
    }
  }
  const tall = card * 1.4;
  const lift = low ? 12 : 22;
  const first = rows === 1 ? count : Math.ceil(count / 2);
  const rowGap = tall * 0.44;
  /** @type {{x: number, y: number, turn: number}[]} */
  const places = [];
  let sag = 0;
  for (let row = 0; row < rows; row++) {
    const n = row === 0 ? first : count - first;
    const widest = n > 1 ? (room - card) / (n - 1) : 0;
    // The fan opens as far as its outer cards stay whole; a full hand is held flatter.
    const leaning = n > 1 ? (room - 2 * lean - card) / (n - 1) : 0;
    const open = rows === 1 && leaning >= LEAST_STEP;
    const step = Math.min(open ? leaning : widest, card * (n > 5 ? 0.66 : 0.74));
    const start = (width - (step * (n - 1) + card)) / 2;
    const spread = open ? half * 2 : 0;
    const depth = open ? Math.min(card * 0.14, (step * (n - 1)) / 28) * (low ? 0.5 : 1) : 0;
    for (let index = 0; index < n; index++) {
      const from = n > 1 ? (index / (n - 1)) * 2 - 1 : 0;
      const y = lift + row * rowGap + from * from * depth;
      sag = Math.max(sag, from * from * depth);
      places.push({ x: start + index * step, y, turn: (from * spread) / 2 });
    }
  }
  const shown = low ? tall * 0.8 : tall;
  // The outer corners of a fan hang lower.
  const corner = places.some(({ turn }) => turn) ? (card / 2) * Math.sin((half * Math.PI) / 180) : 0;
  return { card, places, height: Math.round(lift + sag + corner + (rows - 1) * rowGap + shown + 4) };
}
