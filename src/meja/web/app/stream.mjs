// @ts-check
// What happens at a table, as it happens: a stream of updates; where a network holds streams back,
// questions that wait for their answer. Both go on after the last update that was seen.
import { ApiError, address, get, noteBuild, noteNow, refusal } from "./request.mjs";
import { joinTabs } from "./tabs.mjs";

/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Link} Link */
/** @typedef {"stream" | "poll" | "slow"} Way */

/** The server sends something every 15 s. */
const STALE_AFTER = 20000;
const DEAD_AFTER = 35000;
const FIRST_BYTES = 5000;
const BREAKS = 3;
/** A stream that lasted so long was not cut off by the network's own limits. */
const LASTING = 60000;
/** So long a stream is not tried after it was held back; then twice as long, up to a limit. */
const PATIENCE = 120000;
const PATIENCE_LIMIT = 900000;
const POLL_WAIT = 25;
const SLOW_EVERY = 20000;

/** The fields of one event of a stream.
 * @param {string} block @returns {{ event: string, data: string, retry: number | null }} */
export function readEvent(block) {
  let event = "message";
  let retry = null;
  const data = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
    else if (field === "retry" && /^\d+$/.test(value)) retry = Number(value);
  }
  return { event, data: data.join("\n"), retry };
}

/** Follow a table. `onUpdate` gets each step once and in order; `onGone` is the end.
 * @param {string} table
 * @param {{ after?: number | null, onUpdate: (update: Update) => void, onGone?: (error: ApiError) => void,
 *   onLink?: (link: Link) => void }} options */
export function openStream(table, { after = null, onUpdate, onGone, onLink }) {
  /** @type {number | null} */
  let head = after;
  let closed = false;
  /** @type {Link | null} */
  let link = null;
  /** @type {Way} */
  let way = "stream";
  let attempt = new AbortController();
  let heard = Date.now();
  let failures = 0;
  let breaks = 0;
  /** When a stream is tried again after the network held it back. */
  let streamAgain = 0;
  let patience = PATIENCE;
  let retry = 0;
  /** The stream was silent: is it held back, or is there no network at all? */
  let doubtful = false;
  /** Whether the server is there is wanted to know at once. */
  let asked = false;
  let wake = () => {};

  /** @param {Link} found */
  const setLink = (found) => {
    if (found === link || closed) return;
    link = found;
    onLink?.(found);
  };

  const hear = () => {
    heard = Date.now();
    failures = 0;
    setLink("live");
  };

  /** @param {Update} update */
  const deliver = (update) => {
    if (closed) return;
    noteBuild(update.build);
    noteNow(update.now);
    if (update.after !== null) {
      // What was on its way while everything was asked for, or behind another answer.
      if (head === null || update.head < head) return;
      if (update.after > head) {
        // Steps are missing: ask for everything.
        head = null;
        attempt.abort();
        return;
      }
      const known = head;
      update.steps = update.steps.filter((step) => step.seq > known);
    }
    head = update.head;
    try {
      onUpdate(update);
    } catch (error) {
      // A fault of the page is none of the connection.
      reportError(error);
    }
  };

  /** @param {ApiError} error */
  const end = (error) => {
    if (closed) return;
    close();
    onGone?.(error);
  };

  /** @param {string} block @returns {boolean} whether the stream goes on */
  const take = (block) => {
    const { event, data, retry: wanted } = readEvent(block);
    if (wanted !== null) retry = Math.min(wanted, 5000);
    if (event === "update") deliver(JSON.parse(data));
    else if (event === "gone") end(new ApiError(404, JSON.parse(data).error || JSON.parse(data)));
    else if (event === "bye") return false;
    return true;
  };

  async function stream() {
    const began = Date.now();
    const abort = attempt;
    const held = setTimeout(() => {
      doubtful = true;
      holdBack();
      abort.abort();
    }, FIRST_BYTES);
    let bytes = false;
    let goodbye = false;
    try {
      /** @type {Record<string, string>} */
      const headers = { Accept: "text/event-stream" };
      if (head !== null) headers["Last-Event-ID"] = `${head}`;
      const url = address("/api/stream", { table, after: head });
      const response = await fetch(url, {
        headers,
        credentials: "same-origin",
        cache: "no-store",
        signal: abort.signal,
      });
      if (!response.ok || !response.body) throw await refusal(response, await response.text());
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      let text = "";
      while (!goodbye) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(held);
        bytes = true;
        hear();
        text = (text + decoder.decode(value, { stream: true })).replace(/\r\n?/g, "\n");
        for (let cut = text.indexOf("\n\n"); cut >= 0 && !goodbye; cut = text.indexOf("\n\n")) {
          goodbye = !take(text.slice(0, cut));
          text = text.slice(cut + 2);
        }
      }
      if (goodbye) abort.abort();
    } finally {
      clearTimeout(held);
      // A server that stops says so, and an attempt that was given up here is no fault of the network.
      if (bytes && !goodbye && !abort.signal.aborted) {
        breaks = Date.now() - began > LASTING ? 1 : breaks + 1;
        if (breaks >= BREAKS) holdBack();
      }
    }
  }

  const holdBack = () => {
    breaks = 0;
    streamAgain = Date.now() + patience;
    patience = Math.min(patience * 2, PATIENCE_LIMIT);
  };

  async function poll() {
    const path = `/api/tables/${table}`;
    const wait = way === "slow" || doubtful || asked ? 0 : POLL_WAIT;
    asked = false;
    const options = { timeout: (wait + 8) * 1000, stop: attempt.signal };
    try {
      const update = await (head === null
        ? get(path, {}, options)
        : get(`${path}/events`, { after: head, wait }, options));
      doubtful = false;
      hear();
      deliver(update);
    } catch (error) {
      if (doubtful && !attempt.signal.aborted) {
        doubtful = false;
        streamAgain = 0;
        patience = PATIENCE;
      }
      throw error;
    }
  }

  /** @param {number} milliseconds @returns {Promise<void>} */
  const sleep = (milliseconds) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run() {
    while (!closed) {
      attempt = new AbortController();
      way = tabs.crowded() ? "slow" : Date.now() < streamAgain ? "poll" : "stream";
      const abort = attempt;
      try {
        await (way === "stream" ? stream() : poll());
        if (closed) return;
        if (way === "slow") await sleep(SLOW_EVERY);
        else if (way === "stream") {
          setLink("stale");
          await sleep((retry || 300) * (0.5 + Math.random() / 2));
        }
      } catch (error) {
        if (closed) return;
        const fault = error instanceof ApiError ? error : new ApiError(0, {});
        if ([401, 403, 404, 410].includes(fault.status)) {
          end(fault);
          return;
        }
        // Given up on purpose: go on at once, another way or anew.
        if (abort.signal.aborted) continue;
        failures += 1;
        setLink(failures > 1 ? "offline" : "stale");
        const least = fault.status === 429 ? fault.retryAfter * 1000 : 0;
        await sleep(Math.max(least, Math.min(4000, 250 * 2 ** failures) * (0.5 + Math.random() / 2)));
      }
    }
  }

  /** Drop the connection, which may be dead without knowing it, and make a new one. */
  const renew = () => {
    if (closed) return;
    attempt.abort();
    wake();
  };
  const online = () => {
    streamAgain = 0;
    renew();
  };
  const seen = () => {
    if (!document.hidden && (way === "slow" || Date.now() - heard > STALE_AFTER)) renew();
  };
  /** @param {PageTransitionEvent} event */
  const shown = (event) => event.persisted && renew();

  const watchdog = setInterval(() => {
    const quiet = Date.now() - heard;
    if (way === "slow" || link === "offline") return;
    if (quiet > (way === "stream" ? STALE_AFTER : DEAD_AFTER)) setLink("stale");
    if (way === "stream" && quiet > DEAD_AFTER) {
      heard = Date.now();
      renew();
    }
  }, 1000);

  const tabs = joinTabs(() => {
    if ((way === "slow") !== tabs.crowded()) renew();
  });
  addEventListener("online", online);
  addEventListener("offline", renew);
  addEventListener("pageshow", shown);
  document.addEventListener("visibilitychange", seen);

  function close() {
    closed = true;
    attempt.abort();
    wake();
    clearInterval(watchdog);
    tabs.leave();
    removeEventListener("online", online);
    removeEventListener("offline", renew);
    removeEventListener("pageshow", shown);
    document.removeEventListener("visibilitychange", seen);
  }

  run();
  return {
    close,
    /** Finds out whether the server is still there: the connection is made anew. */
    check() {
      asked = true;
      renew();
    },
    /** When the server was last heard. */
    get heard() {
      return heard;
    },
    /** How updates come just now. */
    get way() {
      return way;
    },
  };
}
