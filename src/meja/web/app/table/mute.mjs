// @ts-check
// Whose words are not shown in this browser.
import { signal } from "@preact/signals";
import { keep, recall } from "../settings.mjs";

const PLACE = "meja.muted";
const MANY = 200;

/** "table/seat/name" of everybody muted. @type {import("@preact/signals").Signal<string[]>} */
const muted = signal(Array.isArray(recall(PLACE)) ? recall(PLACE) : []);

/** @param {string} table @param {{seat: number, name: string}} who */
function voiceOf(table, { seat, name }) {
  return `${table}/${seat}/${name}`;
}

/** @param {string} table @param {{seat: number, name: string}} who */
export function isMuted(table, who) {
  return muted.value.includes(voiceOf(table, who));
}

/** @param {string} table @param {{seat: number, name: string}} who */
export function toggleMuted(table, who) {
  const voice = voiceOf(table, who);
  const others = muted.value.filter((other) => other !== voice);
  muted.value = others.length < muted.value.length ? others : [...others, voice].slice(-MANY);
  keep(PLACE, muted.value);
}

/** The messages that are shown here. @param {import("./surface.d.ts").Update} update */
export function heardMessages(update) {
  return update.state.messages.filter((message) => !isMuted(update.table, message));
}
