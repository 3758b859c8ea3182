// @ts-check
// A table as the server tells it, and the commands that go there. Nothing is true here before the server has said it.

import { batch, signal } from "@preact/signals";
import { ApiError, get, newKey, openStream, post } from "../net.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./surface.d.ts").Step} Step */
/** @typedef {import("./surface.d.ts").Refusal} Refusal */
/** @typedef {{key: string, expect: number, command: Record<string, unknown>}} Body */
/** @typedef {{ok: boolean, error: ApiError | null}} Answer */
/** @typedef {{body: Body, text: string | null}} Unsent */
/** @typedef {(update: Update, steps: Step[], before: Update | null) => void} Listener */

/** How many lines the log of the page keeps. */
const LINES = 400;

/** These are answers to what lies on the table: they are stale when somebody acted in between. */
const EXPECTING = new Set(["act", "undo", "claim"]);

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
  /** @type {import("@preact/signals").Signal<{seq: number, text: string}[]>} */
  const lines = signal([]);
  /** @type {Set<Listener>} */
  const listeners = new Set();
  /** @type {{close: () => void} | null} */
  let stream = null;
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
      if (sending.value !== null && steps.some((step) => step.kind === "act" && step.seat === me)) sending.value = null;
      // The answer was lost, but what was sent has been done, or the moment for it has passed.
      const waiting = unsent.value;
      if (waiting && EXPECTING.has(String(waiting.body.command.do)) && next.head > waiting.body.expect) unsent.value = null;
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

  /** @param {Body} body @returns {Promise<Answer>} */
  async function deliver(body) {
    const action = body.command.do === "act" ? String(body.command.action) : null;
    if (action && sending.value) return { ok: false, error: null };
    batch(() => {
      refusal.value = null;
      if (unsent.value?.body.key === body.key) unsent.value = null;
      if (action) sending.value = action;
    });
    try {
      const { seq } = await post(`/api/tables/${encodeURIComponent(id)}/commands`, body);
      if (action) await reached(seq);
      return { ok: true, error: null };
    } catch (error) {
      const known = error instanceof ApiError ? error : null;
      if (known?.status === 422) {
        refusal.value = { action: action ?? "", code: known.code, text: known.text, rule: known.rule ?? null };
      } else if (known?.status === 409) {
        // Somebody acted in between: the update that is on its way shows what is so now.
      } else if (known && known.status >= 400 && known.status < 500 && known.status !== 429) {
        refusal.value = { action: action ?? "", code: known.code, text: known.text, rule: null };
      } else {
        unsent.value = { body, text: known?.text || null };
      }
      return { ok: false, error: known };
    } finally {
      if (action && sending.value === action) sending.value = null;
    }
  }

  /** Resolves when the truth has caught up with a command that was done. @param {number} seq */
  function reached(seq) {
    return new Promise((resolve) => {
      const limit = setTimeout(done, 10_000);
      const unsubscribe = update.subscribe((now) => {
        if (now && now.head >= seq) queueMicrotask(done);
      });
      function done() {
        clearTimeout(limit);
        unsubscribe();
        resolve(undefined);
      }
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
      return (await deliver({ key: newKey(), expect: update.value?.head ?? 0, command: { do: "act", action } })).ok;
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
