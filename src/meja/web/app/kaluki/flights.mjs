// @ts-check
// Cards that fly from where they were to where they lie now. The truth is drawn already; this only shows how it came.

import { h, render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Card } from "../card.mjs";
import { flyIn, flyOut, pace } from "../table/motion.mjs";
import { play } from "../table/sound.mjs";
import { physical } from "./melds.mjs";

/** @typedef {import("../table/surface.d.ts").TableEvent} TableEvent */
/** @typedef {Map<string, DOMRect>} Places */

/** Between two events that were told together, in milliseconds at normal speed. */
const EVENT_GAP = 320;
/** Between the cards of one meld. */
const CARD_GAP = 45;
/** After an absence the table is simply there. */
const TOO_MANY = 14;

/** How long the end of a deal is looked at before the sheet covers it, in milliseconds. */
const LAST_LOOK = 1600;

/** Where everything lies that cards can fly from.
 * @param {HTMLElement | null} root
 * @returns {Places} */
function measure(root) {
  /** @type {Places} */
  const places = new Map();
  for (const element of root?.querySelectorAll("[data-fly]") ?? []) {
    places.set(/** @type {HTMLElement} */ (element).dataset.fly ?? "", element.getBoundingClientRect());
  }
  for (const element of root?.querySelectorAll("[data-seat]") ?? []) {
    places.set(`seat-${/** @type {HTMLElement} */ (element).dataset.seat}`, element.getBoundingClientRect());
  }
  return places;
}

/** Shows events, one after the other.
 * @param {HTMLElement} root
 * @param {Places} before where everything lay before them
 * @param {TableEvent[]} events
 * @param {number | null} me
 * @param {string | null} gained the key of the card that came to the own hand
 * @returns {Promise<void>} when all of it has been seen */
async function showEvents(root, before, events, me, gained) {
  if (events.length > TOO_MANY || document.hidden) {
    return;
  }
  const flights = [];
  let delay = 0;
  for (const event of events) {
    const shown = showEvent(root, before, event, me, gained, delay);
    if (shown) {
      flights.push(...shown);
      soundAt(event.kind === "reshuffle" || event.kind === "deal" ? "deal" : "card", delay * pace());
      delay += EVENT_GAP;
    }
  }
  await Promise.all(flights);
}

/** @param {"card" | "deal"} sound
 * @param {number} delay */
function soundAt(sound, delay) {
  setTimeout(() => play(sound), delay);
}

/** @param {HTMLElement} root
 * @param {Places} before
 * @param {TableEvent} event
 * @param {number | null} me
 * @param {string | null} gained
 * @param {number} delay
 * @returns {Promise<void>[] | null} */
function showEvent(root, before, event, me, gained, delay) {
  const own = event.seat === me;
  const home = before.get(own ? "hand" : `seat-${event.seat}`);
  const meld = find(root, `meld-${event.meld}`);
  switch (event.kind) {
    case "deal":
      return dealt(root, before.get("stock"), me);
    case "draw":
      return own ? toHand(root, gained, before.get("stock"), delay) : [ghost(root, null, before.get("stock"), home, delay)];
    case "take":
      return own ? toHand(root, gained, before.get("pile"), delay) : [ghost(root, event.card ?? null, before.get("pile"), home, delay)];
    case "discard": {
      const top = find(root, "pile-top");
      return top ? [flyIn(top, fromHand(before, own, String(event.card), new Set()) ?? home, { delay, turn: 4 })] : [];
    }
    case "meld": {
      const taken = new Set();
      return [...(meld?.querySelectorAll("[data-word]") ?? [])].map((element, place) =>
        flyIn(element, fromHand(before, own, wordOf(element), taken) ?? home, { delay: delay + place * CARD_GAP }),
      );
    }
    case "add":
    case "swap": {
      const element = [...(meld?.querySelectorAll("[data-word]") ?? [])].findLast((one) => wordOf(one) === event.card);
      const flights = element ? [flyIn(element, fromHand(before, own, physical(String(event.card)), new Set()) ?? home, { delay })] : [];
      if (event.kind === "swap") {
        flights.push(ghost(root, "Jk", before.get(`meld-${event.meld}`), home, delay + CARD_GAP));
      }
      return flights;
    }
    case "reshuffle":
      return [ghost(root, null, before.get("pile"), before.get("stock"), delay)];
    default:
      return null;
  }
}

/** @param {HTMLElement} root
 * @param {string} name */
function find(root, name) {
  return root.querySelector(`[data-fly="${CSS.escape(name)}"]`);
}

/** @param {Element} element */
function wordOf(element) {
  return /** @type {HTMLElement} */ (element).dataset.word ?? "";
}

/** Where a card lay in the own hand, each place once.
 * @param {Places} before
 * @param {boolean} own
 * @param {string} word
 * @param {Set<string>} taken */
function fromHand(before, own, word, taken) {
  if (!own) {
    return null;
  }
  for (const [name, place] of before) {
    if (name.startsWith(`hand:${physical(word)}#`) && !taken.has(name)) {
      taken.add(name);
      return place;
    }
  }
  return null;
}

/** @param {HTMLElement} root
 * @param {string | null} key
 * @param {DOMRect | undefined} from
 * @param {number} delay */
function toHand(root, key, from, delay) {
  const card = key === null ? null : find(root, `hand:${key}`);
  return card ? [flyIn(card, from, { delay })] : [];
}

/** Every card of the own hand comes from the stock.
 * @param {HTMLElement} root
 * @param {DOMRect | undefined} from
 * @param {number | null} me */
function dealt(root, from, me) {
  const start = from ?? find(root, "stock")?.getBoundingClientRect();
  const cards = me === null ? [] : [...root.querySelectorAll(".kaluki-card")];
  return cards.map((card, place) => flyIn(card, start, { delay: place * CARD_GAP, turn: -90, fade: true }));
}

/** A card that is not on the table any more, or never was for these eyes.
 * @param {HTMLElement} root
 * @param {string | null} card
 * @param {DOMRect | undefined} from
 * @param {DOMRect | undefined} to
 * @param {number} delay */
async function ghost(root, card, from, to, delay) {
  if (!pace() || !from || !to) {
    return;
  }
  const holder = document.createElement("div");
  holder.className = "kaluki-ghost";
  holder.setAttribute("aria-hidden", "true");
  const width = Math.min(from.width, 64);
  Object.assign(holder.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${width}px` });
  render(h(Card, { card, hidden: true }), holder);
  root.append(holder);
  await flyOut(holder, to, { delay });
  holder.remove();
}

/** Shows how what is drawn came about.
 * @param {{ current: HTMLElement | null }} root
 * @param {import("../table/surface.d.ts").SurfaceProps} page
 * @param {number | null} me
 * @param {string | null} gained */
export function useFlights(root, page, me, gained) {
  const { update, listen, busy } = page;
  const waiting = useRef(/** @type {TableEvent[]} */ ([]));
  const shown = useRef(update.head);
  const before = useRef(/** @type {Places} */ (new Map()));
  if (shown.current !== update.head) {
    // The page still stands as it was before this update.
    before.current = measure(root.current);
  }
  useEffect(() => {
    const deaf = listen((_update, steps) => {
      waiting.current.push(...steps.flatMap((step) => step.events ?? []));
    });
    return () => {
      deaf();
      busy.value = false;
    };
  }, []);
  useLayoutEffect(() => {
    shown.current = update.head;
    const events = waiting.current.splice(0);
    if (root.current && events.length) {
      const ends = events.some((event) => event.kind === "score");
      busy.value = busy.value || ends;
      const look = showEvents(root.current, before.current, events, me, gained);
      if (ends) {
        // The last cards are looked at before the sheet comes.
        void Promise.all([look, new Promise((resolve) => setTimeout(resolve, LAST_LOOK))]).then(() => (busy.value = false));
      }
    }
  }, [update.head]);
}
