// @ts-check
// Questions to the server and their answers.
import { signal } from "@preact/signals";
import { spoken, t } from "./words.mjs";

/** A refusal of the server, or its silence (`status` 0). `text` is a sentence for the person. */
export class ApiError extends Error {
  /** @param {number} status
   * @param {Partial<import("../types.d.ts").Fault>} fault
   * @param {number} [retryAfter] seconds */
  constructor(status, fault, retryAfter = 0) {
    super(fault.text || silence(status));
    this.name = "ApiError";
    this.status = status;
    this.code = fault.code || (status ? `http-${status}` : "no-answer");
    this.text = this.message;
    this.rule = fault.rule ?? null;
    this.head = fault.head ?? null;
    this.retryAfter = retryAfter;
  }

  /** No answer of Meja itself: the connection, or something between, has failed. */
  get lost() {
    return this.status === 0 || (this.status >= 502 && this.code.startsWith("http-"));
  }

  /** Refused for now only: it is worth another try in a moment. */
  get passing() {
    return this.code === "storage" || (this.status === 429 && this.retryAfter <= 5);
  }
}

/** @param {number} status @returns {string} */
function silence(status) {
  if (status === 0) return t("The server cannot be reached. Check your connection.");
  if (status >= 500) return t("The server has a problem. Try again in a moment.");
  return t("The server did not accept this.");
}

/** True when the server has another build than this page. */
export const newBuild = signal(false);
const ownBuild = document.documentElement.dataset.build || "";

/** @param {string | undefined} build */
export function noteBuild(build) {
  if (build && ownBuild && build !== ownBuild) newBuild.value = true;
}

let offset = 0;
let knows = false;

/** @param {number | undefined} now the server's clock */
export function noteNow(now) {
  if (now === undefined) return;
  const found = now - Date.now();
  // A slow answer makes the server's clock look late; the largest difference is the truest.
  offset = knows ? Math.max(found, offset - 50) : found;
  knows = true;
}

/** The time by the server's clock, in epoch milliseconds. */
export function serverNow() {
  return Date.now() + offset;
}

/** @param {number} milliseconds @returns {Promise<void>} */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A key that no other command has. @returns {string} */
export function newKey() {
  // crypto.randomUUID is there only on https and localhost.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An address of the API in the language shown.
 * @param {string} path @param {Record<string, string | number | null | undefined>} [params] @returns {string} */
export function address(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== null && value !== undefined) query.set(name, `${value}`);
  query.set("lang", spoken.value);
  return `${path}?${query}`;
}

/** @param {string} url
 * @param {RequestInit} init
 * @param {number} timeout
 * @param {AbortSignal} [stop]
 * @returns {Promise<any>} */
async function ask(url, init, timeout, stop) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  const stopped = () => abort.abort();
  stop?.addEventListener("abort", stopped);
  if (stop?.aborted) abort.abort();
  try {
    const response = await fetch(url, { ...init, credentials: "same-origin", cache: "no-store", signal: abort.signal });
    const text = await response.text();
    if (response.ok) return text ? JSON.parse(text) : null;
    throw await refusal(response, text);
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, {});
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener("abort", stopped);
  }
}

/** The error that an answer stands for.
 * @param {Response} response @param {string} text @returns {Promise<ApiError>} */
export async function refusal(response, text) {
  /** @type {any} */
  let fault = {};
  try {
    fault = JSON.parse(text).error || {};
  } catch {
    // Not an answer of Meja: a proxy's page.
  }
  return new ApiError(response.status, fault, Number(response.headers.get("Retry-After")) || 0);
}

/** @param {string} path @param {Record<string, string | number | null | undefined>} [params]
 * @param {{ timeout?: number, stop?: AbortSignal }} [options] @returns {Promise<any>} */
export async function get(path, params, { timeout = 15000, stop } = {}) {
  const answer = await ask(address(path, params), { headers: { Accept: "application/json" } }, timeout, stop);
  noteBuild(answer?.build);
  noteNow(answer?.now);
  return answer;
}

const TRIES = 7;

/** Send something. A body with a `key` may be sent again when its answer was lost: the server does it
 * once. `again` says the same of a body that changes nothing.
 * @param {string} path @param {Record<string, any>} [body]
 * @param {{ again?: boolean, timeout?: number, stop?: AbortSignal }} [options] @returns {Promise<any>} */
export async function post(path, body = {}, { again = "key" in body, timeout = 10000, stop } = {}) {
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  };
  for (let tried = 1; ; tried += 1) {
    try {
      const answer = await ask(address(path), init, timeout, stop);
      noteBuild(answer?.build);
      noteNow(answer?.now);
      return answer;
    } catch (error) {
      const fault = /** @type {ApiError} */ (error);
      const worth = fault.lost ? tried < TRIES : fault.passing && tried < 3;
      if (!again || !worth || stop?.aborted) throw fault;
      await pause(waitAfter(fault, tried));
    }
  }
}

/** How long to wait before the next try, in milliseconds.
 * @param {ApiError} fault @param {number} tried @returns {number} */
export function waitAfter(fault, tried) {
  return fault.status === 429
    ? fault.retryAfter * 1000 + Math.random() * 300
    : Math.min(5000, 300 * 2 ** tried) * (0.5 + Math.random() / 2);
}
