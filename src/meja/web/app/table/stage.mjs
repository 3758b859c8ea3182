// @ts-check
// What is shown of the events of a trick game, one after the other. The truth (the hand, the turn, the scores, what may
// be done) never waits for it: the stage only keeps a finished trick lying until it has been seen.

import { signal } from "@preact/signals";
import { pace, trickTime } from "./motion.mjs";
import { play } from "./sound.mjs";
import { settings } from "../settings.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./surface.d.ts").Step} Step */
/** @typedef {import("./surface.d.ts").TableEvent} TableEvent */
/**
 * What lies in the middle while events are shown.
 * @typedef {object} Frame
 * @property {[number, string][]} trick
 * @property {number | null} winner whose trick it is, once it is finished
 * @property {boolean} sweep the trick is on its way to the winner
 * @property {boolean} waits the trick stays until it is tapped
 * @property {{seat: number, cards: string[]} | null} spread cards that are shown to all: the monte
 * @property {number | null} dealing the dealer, while cards are dealt
 * @property {number[]} taken the card points as they were before the events that are shown
 * @property {Record<number, number>} unplayed by seat: cards that are still to be shown as played
 * @property {Record<number, number>} unwon by seat: tricks that are still to be shown as won
 * @property {boolean} behind the trick that is asked about is still to be shown
 */
/** @typedef {{id: number, text: string, tone: "say" | "good" | "bad"}} Bubble */

/** More events than this are not shown one by one: somebody has been away. */
const TOO_MANY = 24;
const BUBBLE = 2600;
/** So long a finished trick is seen at least, in milliseconds. */
const LOOK = 400;

/** How long a bubble, a dealt hand, a score is looked at before the next event, in milliseconds at normal speed. */
const TIME = { play: 430, bid: 620, deal: 900, sweep: 380, monte: 1800, score: 900 };

/**
 * @param {(event: TableEvent) => {text: string, tone?: Bubble["tone"], seat?: number}[]} bubblesOf
 *   what a seat says of an event ("3", "pass", "+2")
 */
export function createStage(bubblesOf) {
  /** @type {import("@preact/signals").Signal<Frame | null>} null: nothing is under way, the truth is shown. */
  const frame = signal(null);
  /** @type {import("@preact/signals").Signal<Record<number, Bubble>>} */
  const bubbles = signal({});
  /** @type {TableEvent[]} */
  let queue = [];
  let running = false;
  let run = 0;
  /** The own turn has come, and what it is about is still to be shown. */
  let hurry = false;
  /** When the trick that lies there was finished. */
  let finished = 0;
  let count = 0;
  /** @type {(() => void) | null} */
  let wake = null;

  /** @param {Update} update @param {Step[]} steps @param {Update | null} before */
  function take(update, steps, before) {
    if (!before) return;
    if (steps.some((step) => step.kind === "undo")) {
      flush();
      return;
    }
    const events = steps.flatMap((step) => step.events ?? []);
    if (!events.length) return;
    if (document.hidden || queue.length + events.length > TOO_MANY) {
      flush();
      for (const event of events.slice(-4)) speak(event);
      return;
    }
    queue.push(...events);
    const { view } = update;
    hurry = view !== null && view.seat !== null && view.to_act === view.seat && leads();
    if (running) {
      recount();
      if (hurry) catchUp();
    } else {
      void start(before);
    }
  }

  /** @param {Update} before */
  async function start(before) {
    running = true;
    const own = ++run;
    show({
      trick: before.view?.trick ? [...before.view.trick] : [],
      winner: null,
      sweep: false,
      waits: false,
      spread: null,
      dealing: null,
      taken: before.view?.taken && Array.isArray(before.view.taken) ? before.view.taken : [],
    });
    while (queue.length && run === own) {
      const event = /** @type {TableEvent} */ (queue.shift());
      recount();
      await showEvent(event, own);
    }
    if (run === own) {
      running = false;
      hurry = false;
      frame.value = null;
    }
  }

  /** @param {TableEvent} event @param {number} own */
  async function showEvent(event, own) {
    const seat = event.seat ?? 0;
    speak(event);
    switch (event.kind) {
      case "deal":
        play("deal");
        change({ trick: [], winner: null, spread: null, dealing: seat, taken: [] });
        await pause(TIME.deal * pace());
        if (run === own) change({ dealing: null });
        break;
      case "play":
        play("card");
        change({ trick: [...(frame.value?.trick ?? []), [seat, String(event.card)]], spread: null });
        await pause(TIME.play * pace() * (hurry ? 0.35 : 1));
        break;
      case "trick":
        await gather(seat, own);
        break;
      case "monte":
        change({ spread: { seat, cards: words(event.cards ?? []) } });
        await pause(TIME.monte * Math.max(pace(), 0.6));
        break;
      case "pass":
      case "bid":
      case "raise":
      case "call":
        play("bid");
        await pause(TIME.bid * pace());
        break;
      case "hand-over":
      case "give":
      case "discard":
      case "pick-up":
        play("card");
        await pause(TIME.bid * 0.6 * pace());
        break;
      case "score":
        await pause(TIME.score * pace());
        break;
      default:
    }
  }

  /** @param {number} winner @param {number} own */
  async function gather(winner, own) {
    const tap = settings.trickWait.value === "tap";
    finished = Date.now();
    change({ winner, waits: tap });
    recount();
    const crowd = queue.filter((event) => event.kind === "play").length;
    // While others play on, the table catches up; while nothing else happens, there is time to look.
    await pause(tap ? Infinity : hurry && leads() ? LOOK : trickTime() * (crowd > 2 ? 0.6 : 1));
    if (run !== own) return;
    play("trick");
    change({ sweep: true, waits: false });
    await pause(TIME.sweep * pace() * (hurry ? 0.5 : 1), false);
    if (run !== own) return;
    change({ trick: [], winner: null, sweep: false });
    recount();
  }

  /** Whether cards of a later trick wait to be shown. */
  function leads() {
    const trick = queue.findLastIndex(({ kind }) => kind === "trick");
    const gathered = frame.value !== null && frame.value.winner !== null;
    return queue.slice(trick + 1).some(({ kind }) => kind === "play") && (trick >= 0 || gathered);
  }

  /** The finished trick has been seen for a moment: the one that is asked about comes now. */
  function catchUp() {
    if (!frame.value || frame.value.waits || frame.value.sweep) return;
    if (frame.value.winner === null) {
      wake?.();
      return;
    }
    const now = wake;
    setTimeout(() => {
      if (wake === now) now?.();
    }, Math.max(0, LOOK - (Date.now() - finished)));
  }

  /** @param {TableEvent} event */
  function speak(event) {
    for (const { text, tone = "say", seat = event.seat ?? 0 } of bubblesOf(event)) {
      const id = ++count;
      bubbles.value = { ...bubbles.value, [seat]: { id, text, tone } };
      setTimeout(() => {
        if (bubbles.value[seat]?.id !== id) return;
        const rest = { ...bubbles.value };
        delete rest[seat];
        bubbles.value = rest;
      }, BUBBLE);
    }
  }

  /** Waits, unless nothing is to be waited for. @param {number} time @param {boolean} [skippable] */
  function pause(time, skippable = true) {
    if (!time) return Promise.resolve();
    return new Promise((resolve) => {
      const limit = time === Infinity ? 0 : setTimeout(done, time);
      function done() {
        clearTimeout(limit);
        if (wake === done) wake = null;
        resolve(undefined);
      }
      if (skippable) wake = done;
    });
  }

  /** @param {Omit<Frame, "unplayed" | "unwon" | "behind">} made */
  function show(made) {
    frame.value = { ...made, ...pending() };
  }

  /** @param {Partial<Frame>} part */
  function change(part) {
    if (frame.value) frame.value = { ...frame.value, ...part };
  }

  function recount() {
    change(pending());
  }

  function pending() {
    /** @type {Record<number, number>} */
    const unplayed = {};
    /** @type {Record<number, number>} */
    const unwon = {};
    for (const { kind, seat = 0 } of queue) {
      if (kind === "play") unplayed[seat] = (unplayed[seat] ?? 0) + 1;
      if (kind === "trick") unwon[seat] = (unwon[seat] ?? 0) + 1;
    }
    return { unplayed, unwon, behind: hurry && !frame.value?.waits && leads() };
  }

  /** Shows what is so, at once. */
  function flush() {
    queue = [];
    run++;
    running = false;
    hurry = false;
    frame.value = null;
    wake?.();
  }

  return {
    frame,
    bubbles,
    take,
    flush,
    /** A tap: on with it. A trick that lies there is gathered, everything else is shown at once. */
    skip() {
      if (!frame.value) return false;
      if (frame.value.winner !== null && !frame.value.sweep) wake?.();
      else if (!frame.value.sweep) flush();
      return true;
    },
    /** Resolves when everything has been shown. @returns {Promise<void>} */
    settled() {
      if (!frame.value) return Promise.resolve();
      return new Promise((resolve) => {
        const unsubscribe = frame.subscribe((now) => {
          if (!now) queueMicrotask(() => (unsubscribe(), resolve()));
        });
      });
    },
  };
}

/** @typedef {ReturnType<typeof createStage>} Stage */

/** @param {string | string[]} cards */
function words(cards) {
  return Array.isArray(cards) ? cards : cards.split(" ").filter(Boolean);
}
