// @ts-check
// Is every deal of a record the one that its seeds give, and the one that was promised before it?

import { layOut, pack, reshuffledPiles } from "./layout.mjs";
import { commitment, hexBytes, Stream, VERSION } from "./shuffle.mjs";

/** @typedef {{ dealer: number, hands: string[], monte?: string, upcard?: string, stock?: string, reshuffles?: string[],
 *   actions: string[], score?: number[], void?: boolean }} RecordDeal */
/** @typedef {{ deal: number, commit: string, server_seed: string | null, client_seeds?: Record<string, string> }} Entry */
/** @typedef {{ format: string, game: string, rules: import("./layout.mjs").Rules, players: string[],
 *   deals: RecordDeal[], fairness?: { version: string, table: string, deals: Entry[] },
 *   meta?: Record<string, unknown> }} MatchRecord */
/** What this browser was told before each deal, and what it gave to the shuffle.
 * @typedef {Record<string, { commit?: string, seed?: string }>} Memory */

/** @typedef {"entry-missing" | "entry-twice" | "no-such-deal" | "seed-hidden" | "seed-broken" | "commit-wrong" | "hands-differ" | "monte-differs" |
 *   "upcard-differs" | "stock-differs" | "reshuffle-differs" | "promise-broken" | "seed-left-out"} Fault */
/** `proved`: the cards are those of the promised seed. `broken`: they are not. `open`: it cannot be told.
 * @typedef {{ deal: number, outcome: "proved" | "broken" | "open", faults: Fault[], reshuffles: number,
 *   seeds: number, remembered: boolean }} DealResult */
/** @typedef {"no-fairness" | "other-version" | "unknown-game" | "not-a-record"} Trouble */
/** @typedef {{ trouble: Trouble | null, table: string | null, deals: DealResult[] }} Result */

/** @param {unknown} value
 * @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} text */
function words(text) {
  return typeof text === "string" ? text.split(" ").filter(Boolean) : [];
}

/** @param {readonly string[]} one
 * @param {readonly string[]} other */
function sameOrder(one, other) {
  return one.length === other.length && one.every((card, place) => card === other[place]);
}

/** @param {readonly string[]} one
 * @param {readonly string[]} other */
function sameCards(one, other) {
  return sameOrder([...one].sort(), [...other].sort());
}

/** Why the record cannot be checked at all.
 * @param {unknown} record
 * @returns {Trouble | null} */
export function troubleOf(record) {
  if (!isObject(record) || record.format !== "meja/1" || !Array.isArray(record.deals) || !Array.isArray(record.players)) {
    return "not-a-record";
  }
  if (!isObject(record.rules) || !record.deals.every((deal) => isObject(deal) && Array.isArray(deal.hands))) {
    return "not-a-record";
  }
  if (typeof record.game !== "string" || pack(record.game) === null) {
    return "unknown-game";
  }
  if (!isObject(record.fairness)) {
    return "no-fairness";
  }
  const { version, table, deals } = record.fairness;
  if (version !== VERSION) {
    return "other-version";
  }
  // The table's name is part of what is hashed: no sign that stands between the parts may be in it.
  const named = typeof table === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(table);
  return named && Array.isArray(deals) && deals.every(isObject) ? null : "not-a-record";
}

/** @param {MatchRecord} record
 * @param {RecordDeal} deal
 * @param {Stream} stream
 * @returns {Promise<Fault[]>} */
async function cardFaults(record, deal, stream) {
  /** @type {Fault[]} */
  const faults = [];
  const cards = await stream.shuffled(/** @type {readonly string[]} */ (pack(record.game)));
  const layout = layOut(record.game, record.rules, record.players.length, deal.dealer, cards);
  const hands = deal.hands.map(words);
  if (hands.length !== layout.hands.length || !hands.every((hand, seat) => sameCards(hand, layout.hands[seat]))) {
    faults.push("hands-differ");
  }
  if (!sameOrder(words(deal.monte), layout.monte)) {
    faults.push("monte-differs");
  }
  if ((deal.upcard ?? null) !== layout.upcard) {
    faults.push("upcard-differs");
  }
  if (!sameOrder(words(deal.stock), layout.stock)) {
    faults.push("stock-differs");
  }
  const reshuffles = Array.isArray(deal.reshuffles) ? deal.reshuffles.map(words) : [];
  if (reshuffles.length) {
    const actions = Array.isArray(deal.actions) ? deal.actions.map(String) : [];
    const piles = reshuffledPiles(String(deal.upcard), words(deal.stock), actions, reshuffles);
    let same = piles.length === reshuffles.length;
    for (const [place, pile] of piles.entries()) {
      same = sameOrder(await stream.shuffled(pile), reshuffles[place]) && same;
    }
    if (!same) {
      faults.push("reshuffle-differs");
    }
  }
  return faults;
}

/** @param {MatchRecord} record
 * @param {number} number counted from 1
 * @param {Memory} memory
 * @returns {Promise<DealResult>} */
async function checkDeal(record, number, memory) {
  const fairness = /** @type {NonNullable<MatchRecord["fairness"]>} */ (record.fairness);
  const deal = record.deals[number - 1];
  const entries = fairness.deals.filter((entry) => entry.deal === number);
  const remembered = memory[String(number)];
  const reshuffles = Array.isArray(deal.reshuffles) ? deal.reshuffles.length : 0;
  /** @type {DealResult} */
  const result = { deal: number, outcome: "open", faults: [], reshuffles, seeds: 0, remembered: Boolean(remembered) };
  if (entries.length > 1) {
    return { ...result, outcome: "broken", faults: ["entry-twice"] };
  }
  if (!entries.length) {
    return { ...result, faults: ["entry-missing"] };
  }
  const [entry] = entries;
  const seeds = isObject(entry.client_seeds) ? /** @type {Record<string, string>} */ (entry.client_seeds) : {};
  result.seeds = Object.keys(seeds).length;
  const whole = isSeed(entry.commit) && Object.entries(seeds).every(([seat, own]) => /^\d$/.test(seat) && isSeed(own));
  if (!whole || !(entry.server_seed === null || isSeed(entry.server_seed))) {
    result.faults.push("seed-broken");
  } else if (entry.server_seed === null) {
    result.faults.push("seed-hidden");
  } else {
    const seed = /** @type {Uint8Array<ArrayBuffer>} */ (hexBytes(entry.server_seed));
    if ((await commitment(seed, fairness.table, number)) !== entry.commit) {
      result.faults.push("commit-wrong");
    }
    const stream = await Stream.of(seed, seeds, fairness.table, number);
    result.faults.push(...(await cardFaults(record, deal, stream)));
  }
  if (remembered?.commit && remembered.commit !== entry.commit) {
    result.faults.push("promise-broken");
  }
  if (remembered?.seed && !Object.values(seeds).includes(remembered.seed)) {
    result.faults.push("seed-left-out");
  }
  if (result.faults.some((fault) => fault !== "seed-hidden")) {
    result.outcome = "broken";
  } else if (!result.faults.length) {
    result.outcome = "proved";
  }
  return result;
}

/** @param {unknown} text */
function isSeed(text) {
  return typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
}

/** Check every deal of a record; `told` hears of each as it is done.
 * @param {unknown} record
 * @param {(table: string) => Memory} memoryOf what this browser remembers of a table
 * @param {(done: number, of: number) => void} [told]
 * @returns {Promise<Result>} */
export async function checkRecord(record, memoryOf, told = () => {}) {
  const trouble = troubleOf(record);
  if (trouble) {
    return { trouble, table: null, deals: [] };
  }
  const match = /** @type {MatchRecord} */ (record);
  const table = /** @type {NonNullable<MatchRecord["fairness"]>} */ (match.fairness).table;
  const memory = memoryOf(table);
  const deals = [];
  for (let number = 1; number <= match.deals.length; number++) {
    deals.push(await checkDeal(match, number, memory));
    told(number, match.deals.length);
  }
  const fairness = /** @type {NonNullable<MatchRecord["fairness"]>} */ (match.fairness);
  for (const { deal } of fairness.deals) {
    if (!(Number.isInteger(deal) && deal >= 1 && deal <= match.deals.length)) {
      deals.push(/** @type {DealResult} */ ({
        deal, outcome: "broken", faults: ["no-such-deal"], reshuffles: 0, seeds: 0, remembered: false,
      }));
    }
  }
  return { trouble: null, table, deals };
}

/** What this browser kept of a table while it was played there.
 * @param {string} table
 * @returns {Memory} */
export function remembered(table) {
  try {
    const kept = JSON.parse(localStorage.getItem(`meja.fair.${table}`) ?? "{}");
    return isObject(kept) ? /** @type {Memory} */ (kept) : {};
  } catch {
    return {};
  }
}
