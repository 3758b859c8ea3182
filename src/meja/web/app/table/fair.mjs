// @ts-check
// What this browser saw before each deal, and what it gave to the shuffle. The page that checks a match
// compares both with the record, so they stay in this browser: {"1": {"commit": hex, "seed": hex}, ...}.

const PREFIX = "meja.fair.";

/** A fresh contribution to a shuffle: 32 random bytes as hex digits. */
export function newSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} table
 * @param {number} deal
 * @param {{commit?: string | null, seed?: string}} seen
 */
export function remember(table, deal, seen) {
  try {
    const kept = JSON.parse(localStorage.getItem(PREFIX + table) ?? "{}");
    const before = kept[deal] ?? {};
    // What was promised first is what counts: a commitment that changes later must not hide the first one.
    kept[deal] = { ...before, ...(seen.seed ? { seed: seen.seed } : {}), commit: before.commit ?? seen.commit ?? undefined };
    localStorage.setItem(PREFIX + table, JSON.stringify(kept));
  } catch {
    // Without storage the match goes on; only this browser's own part of the check is missing.
  }
}
