// @ts-check
// The record that was opened last, so that replay and check are two looks at the same one; and how one is read.

import { signal } from "@preact/signals";
import { get } from "../net.mjs";
import { t } from "../words.mjs";

/** `table`: the table it came from; null for a file or pasted text.
 * @typedef {{ text: string, name: string, table: string | null }} Opened */

/** What the server takes in one question, in characters: a long match has a tenth of it. */
export const LARGEST = 1024 * 1024;
/** Collections hold many matches, but a browser should not choke on one. */
const LARGEST_FILE = 64 * LARGEST;

/** @type {import("@preact/signals").Signal<Opened | null>} */
export const opened = signal(null);

/** The finished match of a table.
 * @param {string} table
 * @returns {Promise<Opened>} */
export async function recordOf(table) {
  const record = await get(`/api/tables/${encodeURIComponent(table)}/record`);
  return { text: JSON.stringify(record, null, 1), name: `meja-${table}.meja`, table };
}

/** @param {File} file
 * @returns {Promise<Opened>} */
export async function recordIn(file) {
  if (file.size > LARGEST_FILE) {
    throw new Error(t("This file is too large to be a record."));
  }
  return { text: await file.text(), name: file.name, table: null };
}

/** The records of a text: one, or one per line.
 * @param {string} text
 * @returns {string[]} */
export function recordsOf(text) {
  const whole = text.trim();
  if (!whole || asJson(whole) !== undefined) {
    return whole ? [whole] : [];
  }
  const lines = whole.split("\n").map((line) => line.trim()).filter(Boolean);
  return lines.length > 1 && lines.some((line) => asJson(line) !== undefined) ? lines : [whole];
}

/** The JSON value of a text; `undefined` where it is none.
 * @param {string} text
 * @returns {any} */
export function asJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} player as a record names them
 * @returns {{ name: string, bot: boolean }} */
export function playerOf(player) {
  return player.startsWith("bot:") ? { name: player.slice(4), bot: true } : { name: player, bot: false };
}
