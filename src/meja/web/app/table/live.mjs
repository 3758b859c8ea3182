// @ts-check
// A table as the server tells it, and the commands that go there. Nothing is true here before the server has said it.

import { batch, signal } from "@preact/signals";
import { ApiError, get, newKey, openStream, pause, post, waitAfter } from "../net.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./surface.d.ts").Step} Step */
/** @typedef {import("./surface.d.ts").Refusal} Refusal */
/** @typedef {{key: string, expect: number, command: Record<string, unknown>}} Body */
/** @typedef {{ok: boolean, error: ApiError | null}} Answer */
/** `again`: it is sent again by itself. @typedef {{body: Body, text: string | null, again: boolean}} Unsent */
/** @typedef {(update: Update, steps: Step[], before: Update | null) => void} Listener */

/** How many lines the log of the page keeps. */
const LINES = 400;

/** These are answers to what lies on the table: they are stale when somebody acted in between. */
const EXPECTING = new Set(["act", "undo", "claim"]);
/** After these it is another position: what was meant for the one before cannot be done any more. */
const MOVING = new Set(["act", "undo", "claim", "deal", "closed"]);

/** After so long it is told that there is no answer yet; so long one try waits for it, in milliseconds. */
const LATE = 3000;
const ANSWER = 6000;
/** For so long something is sent again and again while the server is heard otherwise. */
const INSIST = 12000;
/** So long a connection that was made anew may take until it is heard. */
const FIRST = 2500;
/** Between the tries while there is no connection, at most. */
const LONGEST = 8000;

/** @param {Body} body */
function expects(body) {
  return EXPECTING.has(String(body.command.do));
}

/** @param {string} id */
export function createLive(id) {
  /** @type {import("@preact/signals").Signal<Update | null>} */
  const update = signal(null);
  /** @type {import("@preact/signals").Signal<ApiError | null>} Why there is no such table here. */
  const gone = signal(null);
  /** @type {import("@preact/signals").Signal<"live" | "stale" | "offline">} */
  const link = signal("live");
  /** @type {import("@preact/signals").Signal<string | null>} The action that is on its way. */
  const sending = signal(null);
  /** @type {import("@preact/signals").Signal<Refusal | null>} */
  const refusal = signal(null);
  /** @type {import("@preact/signals").Signal<Unsent | null>} What did not arrive, or whose answer was lost. */
  const unsent = signal(null);
  /** How much of what was sent waits for its answer for too long. */
  const late = signal(0);
  /** @type {import("@preact/signals").Signal<{seq: number, text: string}[]>} */
  const lines = signal([]);
  /** @type {Set<Listener>} */
  const listeners = new Set();
  /** @type {ReturnType<typeof openStream> | null} */
  let stream = null;
  /** When the stream was last made anew to find out whether the server is there. */
  let checked = 0;
  /** Ends what is done for the action on its way: the truth is here. */
  let settle = () => {};
  let closed = false;
  let acted = 0;
  /** What was asked for here, and not by another person or in another tab. @type {Set<string>} */
  const asked = new Set();

  /** @param {Update} next */
  function receive(next) {
    const before = update.value;
    if (before && next.head < before.head) return;
    const steps = next.steps.filter((step) => step.seq > (before?.head ?? next.head));
    batch(() => {
      update.value = next;
      const fresh = before
        ? steps.flatMap((step) => (step.lines ?? []).map((text) => ({ seq: step.seq, text })))
        : [];
      if (next.after === null) lines.value = (next.story ?? []).map((text) => ({ seq: next.head, text }));
      else if (fresh.length) lines.value = [...lines.value, ...fresh].slice(-LINES);
      if (steps.length) refusal.value = null;
      // The truth may be here before the answer: what was sent is done, and the hand is free again.
      const me = next.state.me.seat;
      if (sending.value !== null && steps.some((step) => step.kind === "act" && step.seat === me)) {
        sending.value = null;
        settle();
      }
      // The answer was lost, but what was sent has been done, or the moment for it has passed.
      const waiting = unsent.value;
      if (waiting && expects(waiting.body) && steps.some((step) => step.seq > waiting.body.expect && MOVING.has(step.kind))) unsent.value = null;
    });
    for (const listener of listeners) listener(next, steps, before);
  }

  async function start() {
    try {
      const first = await get(`/api/tables/${encodeURIComponent(id)}`);
      if (closed) return;
      receive(first);
      stream = openStream(id, {
        after: first.head,
        onUpdate: receive,
        onGone: (/** @type {ApiError} */ error) => (gone.value = error),
        onLink: (/** @type {"live" | "stale" | "offline"} */ state) => (link.value = state),
      });
    } catch (error) {
      if (closed) return;
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
        gone.value = error;
      } else {
        link.value = "offline";
        setTimeout(start, 2000);
      }
    }
  }

  const path = `/api/tables/${encodeURIComponent(id)}/commands`;

  /** @param {Body} body @returns {Promise<Answer>} */
  async function deliver(body) {
    const action = body.command.do === "act" ? String(body.command.action) : null;
    if (action && sending.value) return { ok: false, error: null };
    batch(() => {
      refusal.value = null;
      // Whatever is decided now takes the place of what waits: of two decisions on one position the server takes one.
      if (unsent.value?.body.key === body.key || (unsent.value && expects(unsent.value.body) && expects(body))) unsent.value = null;
      if (action) sending.value = action;
    });
    const stop = new AbortController();
    const began = Date.now();
    let told = 0;
    const slow = setTimeout(() => {
      told = 1;
      late.value += 1;
      // The server may be gone without a word.
      void isThere(began);
    }, LATE);
    /** @type {Promise<void>} */
    const truth = new Promise((resolve) => {
      if (action) settle = resolve;
    });
    try {
      const { seq } = await Promise.race([insist(body, stop.signal), truth.then(() => ({ seq: 0 }))]);
      if (action) await reached(seq);
      return { ok: true, error: null };
    } catch (error) {
      const known = error instanceof ApiError ? error : null;
      fail(body, known);
      return { ok: false, error: known };
    } finally {
      stop.abort();
      clearTimeout(slow);
      late.value -= told;
      if (action && sending.value === action) sending.value = null;
    }
  }

  /** Sends it again and again, as long as the server is there. @param {Body} body @param {AbortSignal} stop */
  async function insist(body, stop) {
    const first = Date.now();
    for (let tried = 1; ; tried += 1) {
      const began = Date.now();
      try {
        return await post(path, body, { again: false, timeout: ANSWER, stop });
      } catch (error) {
        if (!(error instanceof ApiError) || stop.aborted) throw error;
        const worth = error.lost ? began - first < INSIST && (await isThere(began)) : error.passing && tried < 3;
        if (!worth) throw error;
        await pause(waitAfter(error, tried));
      }
    }
  }

  /** Whether the stream has heard the server since then, or does so when it is made anew. @param {number} since */
  async function isThere(since) {
    for (;;) {
      if (closed || link.value === "offline" || !stream) return false;
      if (stream.heard > since) return true;
      if (checked < since) {
        checked = Date.now();
        stream.check();
      } else if (Date.now() - checked > FIRST) return false;
      await pause(100);
    }
  }

  /** @param {Body} body @param {ApiError | null} error */
  function fail(body, error) {
    const action = body.command.do === "act" ? String(body.command.action) : "";
    if (error?.status === 422) {
      refusal.value = { action, code: error.code, text: error.text, rule: error.rule ?? null };
    } else if (error?.status === 409) {
      // Somebody acted in between: the update that is on its way shows what is so now.
    } else if (error && error.status >= 400 && error.status < 500 && error.status !== 429) {
      refusal.value = { action, code: error.code, text: error.text, rule: null };
    } else {
      const waiting = { body, text: error?.text || null, again: Boolean(error?.lost) && expects(body) };
      unsent.value = waiting;
      if (waiting.again) void keepTrying(waiting);
    }
  }

  /** Sends what waits under its own key until it is done, cannot be done any more, or is given up.
   * @param {Unsent} waiting */
  async function keepTrying(waiting) {
    const stop = new AbortController();
    const given = unsent.subscribe((now) => {
      // Only one action is on its way at a time.
      if (now !== waiting) stop.abort();
    });
    for (let tried = 0; ; tried += 1) {
      await untilLive(Math.min(LONGEST, 1000 * 2 ** tried) * (0.5 + Math.random() / 2), stop.signal);
      if (stop.signal.aborted || closed) break;
      try {
        const { seq } = await post(path, waiting.body, { again: false, timeout: ANSWER, stop: stop.signal });
        if (unsent.value !== waiting) break;
        const action = waiting.body.command.do === "act" ? String(waiting.body.command.action) : null;
        batch(() => {
          unsent.value = null;
          if (action && (update.value?.head ?? 0) < seq) sending.value = action;
        });
        await reached(seq);
        if (action && sending.value === action) sending.value = null;
        break;
      } catch (error) {
        if (unsent.value !== waiting || closed) break;
        const known = error instanceof ApiError ? error : null;
        if (known?.lost || known?.passing) continue;
        unsent.value = null;
        fail(waiting.body, known);
        break;
      }
    }
    given();
  }

  /** Resolves after some time, or as soon as the connection is back or it is given up.
   * @param {number} milliseconds @param {AbortSignal} stop @returns {Promise<void>} */
  function untilLive(milliseconds, stop) {
    return new Promise((resolve) => {
      let before = link.value;
      const done = () => {
        clearTimeout(limit);
        stop.removeEventListener("abort", done);
        queueMicrotask(() => unsubscribe());
        resolve();
      };
      const limit = setTimeout(done, milliseconds);
      stop.addEventListener("abort", done);
      const unsubscribe = link.subscribe((now) => {
        if (now === "live" && before !== "live") done();
        before = now;
      });
    });
  }

  /** Resolves when the truth has caught up with a command that was done. @param {number} seq @returns {Promise<void>} */
  function reached(seq) {
    return new Promise((resolve) => {
      const unsubscribe = update.subscribe((now) => {
        if (closed || (now && now.head >= seq)) {
          queueMicrotask(() => {
            unsubscribe();
            resolve();
          });
        }
      });
    });
  }

  return {
    id,
    update,
    gone,
    link,
    sending,
    refusal,
    unsent,
    late,
    lines,
    asked,
    /** When something was last acted here. */
    lastAct: () => acted,
    start,
    /** Hears every update with its new steps. @param {Listener} listener */
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** @param {Record<string, unknown>} command @returns {Promise<Answer>} */
    command(command) {
      asked.add(String(command.do));
      return deliver({ key: newKey(), expect: update.value?.head ?? 0, command });
    },
    /** @param {string} action */
    async act(action) {
      acted = Date.now();
      const expect = update.value?.head ?? 0;
      const waiting = unsent.value?.body;
      const same = waiting?.command.do === "act" && waiting.command.action === action && waiting.expect === expect;
      return (await deliver(same ? waiting : { key: newKey(), expect, command: { do: "act", action } })).ok;
    },
    async undo() {
      asked.add("undo");
      return (await deliver({ key: newKey(), expect: update.value?.head ?? 0, command: { do: "undo" } })).ok;
    },
    /** Sends what did not arrive once more, under its own key: it is done once, whatever happened before. */
    retry() {
      const waiting = unsent.value;
      if (waiting) void deliver(waiting.body);
    },
    /** Follows the table anew, as the person that this browser is now. */
    renew() {
      stream?.close();
      stream = null;
      void start();
    },
    close() {
      closed = true;
      stream?.close();
    },
  };
}

/** @typedef {ReturnType<typeof createLive>} Live */
