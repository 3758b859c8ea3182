// @ts-check
// What the surface needs of a table's options: what an ace counts, to show the points of cards being chosen.

/** What the ready-made sets of options change about the ace.
 * @type {Record<string, number>} */
const PRESET_ACES = { kalooki51: 11, kalooki40: 11 };

/** @param {Record<string, unknown>} rules as a table or a record writes them: the preset and what differs from it
 * @returns {import("./melds.mjs").Values} */
export function valuesOf(rules) {
  const ace = rules.ace ?? PRESET_ACES[String(rules.preset)] ?? 15;
  return ace === "11_high_1_low" ? { ace: 11, lowAce: 1 } : { ace: Number(ace), lowAce: Number(ace) };
}
