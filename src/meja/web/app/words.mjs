// @ts-check
// The words people read: English in the source, other languages from the catalogue.
import { computed, signal } from "@preact/signals";
import { settings } from "./settings.mjs";

/** Where this build's files are: "/a/<build>/". */
export const BASE = new URL("../", import.meta.url).pathname;

/** "xx" is for tests: it marks every text that went through the catalogue. @typedef {"en" | "id" | "xx"} Lang */

/** What `theme.js` has left. @type {any} */
const page = window;

/** @type {import("@preact/signals").Signal<Lang>} */
const current = signal(/** @type {Lang} */ ("en"));
/** Template -> translation, of the language shown. @type {Record<string, string>} */
let catalogue = {};

/** The language shown. */
export const lang = computed(() => current.value);
/** The language that the server and Intl are asked for. */
export const spoken = computed(() => (current.value === "id" ? "id" : "en"));

/** Show another language, now and at the next visit.
 * @param {Lang} language @returns {Promise<boolean>} whether its words could be had */
export async function setLang(language) {
  const done = await show(language);
  if (done && language !== "xx") settings.lang.value = language;
  return done;
}

/** @param {Lang} language @returns {Promise<boolean>} */
async function show(language) {
  if (language === "id") {
    try {
      const response = await (page.earlyWords ?? fetch(`${BASE}locale/id.json`));
      // A body is read once.
      page.earlyWords = undefined;
      if (!response.ok) return false;
      catalogue = await response.json();
    } catch {
      return false;
    }
  } else {
    catalogue = {};
  }
  current.value = language;
  document.documentElement.lang = spoken.value;
  return true;
}

/** Settles when the first language is there; `main.mjs` waits for it. Without its words it is English. */
export const wordsReady = show(page.firstLanguage ?? "en").then((done) => done || show("en"));

/** A text in the language shown. `{name}` in the template is replaced by `values.name`; numbers are
 * written as the language writes them; a field without a value stays, for `rich`.
 * @param {string} template a literal, since the catalogue is collected from the source
 * @param {Record<string, string | number>} [values] @returns {string} */
export function t(template, values) {
  const language = current.value;
  let text = catalogue[template] || template;
  if (values) {
    text = text.replace(/\{(\w+)\}/g, (field, name) => {
      const value = values[name];
      return value === undefined ? field : typeof value === "number" ? number(value) : value;
    });
  }
  return language === "xx" ? `⟦${text}⟧` : text;
}

/** The form that goes with a number; both are whole texts.
 * @param {number} count @param {string} one @param {string} other @returns {string} */
export function plural(count, one, other) {
  return new Intl.PluralRules(spoken.value).select(count) === "one" ? one : other;
}

/** A text with elements in it: the fields that the text was given no value for are theirs.
 * @param {string} text @param {Record<string, any>} parts @returns {any[]} */
export function rich(text, parts) {
  return text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 ? parts[piece] : piece));
}

/** Names in a row, as the language joins them.
 * @param {string[]} names @returns {string} */
export function list(names) {
  return new Intl.ListFormat(spoken.value, { type: "conjunction" }).format(names);
}

/** @param {number} value @param {Intl.NumberFormatOptions} [options] @returns {string} */
export function number(value, options) {
  return new Intl.NumberFormat(spoken.value, options).format(value);
}

/** @param {number} moment epoch milliseconds @param {Intl.DateTimeFormatOptions} [options] @returns {string} */
export function date(moment, options = { dateStyle: "medium", timeStyle: "short" }) {
  return new Intl.DateTimeFormat(spoken.value, options).format(moment);
}

/** How long ago, in words: "5 minutes ago".
 * @param {number} moment @param {number} now @returns {string} */
export function ago(moment, now) {
  const seconds = Math.min(0, Math.round((moment - now) / 1000));
  const words = new Intl.RelativeTimeFormat(spoken.value, { numeric: "auto" });
  if (seconds > -60) return words.format(0, "second");
  if (seconds > -3600) return words.format(Math.ceil(seconds / 60), "minute");
  if (seconds > -86400) return words.format(Math.ceil(seconds / 3600), "hour");
  return words.format(Math.ceil(seconds / 86400), "day");
}

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** The sign of a suit. @param {string} suit one of s h d c @returns {string} */
export function suitSign(suit) {
  return SIGNS[/** @type {keyof typeof SIGNS} */ (suit)] || suit;
}

/** The name of a suit. @param {string} suit @returns {string} */
export function suitName(suit) {
  switch (suit) {
    case "s":
      return t("spades");
    case "h":
      return t("hearts");
    case "d":
      return t("diamonds");
    default:
      return t("clubs");
  }
}

/** A rank as it is written: "10", "K". @param {string} rank @returns {string} */
export function rankSign(rank) {
  return rank === "T" ? "10" : rank;
}

/** A card as it is written: "10♦", "Joker", "Joker (9♥)".
 * @param {string} card @returns {string} */
export function cardName(card) {
  if (card.startsWith("Jk")) {
    const stands = card.slice(3);
    return stands ? `${t("Joker")} (${cardName(stands)})` : t("Joker");
  }
  return rankSign(card[0] ?? "") + (card[1] ? suitSign(card[1]) : "");
}

/** @param {string} rank @returns {string} */
function rankName(rank) {
  switch (rank) {
    case "A":
      return t("ace");
    case "K":
      return t("king");
    case "Q":
      return t("queen");
    case "J":
      return t("jack");
    default:
      return rankSign(rank);
  }
}

/** A card as it is said: "queen of hearts", "joker as 9 of hearts".
 * @param {string} card @returns {string} */
export function cardSpoken(card) {
  if (card.startsWith("Jk")) {
    const stands = card.slice(3);
    return stands ? t("joker as {card}", { card: cardSpoken(stands) }) : t("joker");
  }
  const rank = rankName(card[0] ?? "");
  return card[1] ? t("{rank} of {suit}", { rank, suit: suitName(card[1]) }) : rank;
}
