// @ts-check
// The rules of a game as they stand with the options of a table, with a search.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { games, ORDER } from "../games.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { Failure, useLoad } from "../load.mjs";
import { Page } from "../page.mjs";
import { get, post } from "../request.mjs";
import { Link, place } from "../router.mjs";
import { plural, spoken, t } from "../words.mjs";
import { NotFound } from "./notfound.mjs";

/** @typedef {import("../../types.d.ts").Book} Book */

/** @param {{ game: string }} props */
export default function RulesPage({ game }) {
  return ORDER.includes(game) ? html`<${Rules} key=${game} game=${game} />` : html`<${NotFound} />`;
}

/** The sentences for house rules that the address names.
 * @param {string} game
 * @param {string} seats
 * @param {string} rules
 * @returns {Promise<string[]>} */
async function houseRules(game, seats, rules) {
  if (!rules) return [];
  const { preset = "standard", ...options } = JSON.parse(rules);
  const found = games.peek()?.games.find(({ name }) => name === game);
  const form = await post(
    "/api/rules",
    { game, seats: Number(seats) || (found?.default_seats ?? 3), preset, options },
    { again: true },
  );
  return form.changed;
}

/** @param {{ game: string }} props */
function Rules({ game }) {
  const { search, hash } = place.value;
  const query = new URLSearchParams(search);
  const table = query.get("table") ?? "";
  const seats = query.get("seats") ?? "";
  const rules = query.get("rules") ?? "";
  const { data, error, reload } = useLoad(
    /** @returns {Promise<{ book: Book, changed: string[] }>} */
    async () => {
      if (table) {
        const [book, update] = await Promise.all([get(`/api/tables/${table}/book`), get(`/api/tables/${table}`)]);
        return { book, changed: update.state.changed };
      }
      const [book, changed] = await Promise.all([
        get(`/api/book/${game}`, { seats: seats || null, rules: rules || null }),
        houseRules(game, seats, rules).catch(() => []),
      ]);
      return { book, changed };
    },
    [game, table, seats, rules],
  );
  const title = games.value?.games.find(({ name }) => name === game)?.title ?? "";
  return html`<${Page} title=${t("Rules: {game}", { game: title })} heading=${data?.book.title ?? title} class="rules">
    <nav class="tabs" aria-label=${t("Games")}>
      ${ORDER.map(
        (name) => html`<${Link}
        key=${name}
        href=${`/rules/${name}`}
        data-game=${name}
      >
        ${games.value?.games.find((one) => one.name === name)?.title ?? name}
      <//>`,
      )}
    </nav>
    ${table &&
    html`<p>
      <${Link} class="button small" href=${`/t/${table}`}><${Icon} name="back" />${t("Back to the table")}<//>
    </p>`}
    ${error && html`<${Failure} error=${error} again=${reload} />`}
    ${data &&
      data.changed.length > 0 &&
    html`<div class="note">
      <${Icon} name="info" />
      <div>
        <p>
          ${
            table
              ? t("These are the rules of this table, with its house rules:")
              : t("These are the rules with these house rules:")
          }
        </p>
        <ul>
          ${data.changed.map((line) => html`<li key=${line}>${line}</li>`)}
        </ul>
      </div>
    </div>`}
    ${data && html`<${Text} book=${data.book} target=${hash.slice(1)} />`}
  <//>`;
}

/** @param {{ book: Book, target: string }} props */
function Text({ book, target }) {
  const [wanted, setWanted] = useState("");
  const [found, setFound] = useState(-1);
  const wide = useMemo(() => matchMedia("(min-width: 60rem)").matches, []);
  /** @type {{ current: HTMLElement | null }} */
  const text = useRef(null);

  useEffect(() => {
    const element = target && document.getElementById(decodeURIComponent(target));
    if (!element || !text.current?.contains(element)) return undefined;
    element.classList.add("sought");
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "center" });
    return () => element.classList.remove("sought");
  }, [target, book.html]);

  useEffect(() => {
    setFound(text.current ? search(text.current, wanted) : -1);
  }, [wanted, book.html]);

  const hits = plural(found, t("{n} rule", { n: found }), t("{n} rules", { n: found }));
  const result = found < 0 ? "" : found ? hits : t("Nothing found.");
  return html`<div class="book">
    <aside class="book-side">
      <div class="field">
        <label for="rules-search">${t("Search the rules")}</label>
        <input
          id="rules-search"
          type="search"
          value=${wanted}
          onInput=${(/** @type {any} */ event) => setWanted(event.target.value)}
        />
        <p class="help" role="status">
          ${result}
        </p>
      </div>
      <nav aria-label=${t("Sections")}>
        <details class="sections-box" open=${wide}>
          <summary>${t("Sections")}</summary>
          <ol class="sections">
            ${book.sections.map(({ id, title }) => html`<li key=${id}><a href=${`#${id}`}>${title}</a></li>`)}
          </ol>
        </details>
      </nav>
    </aside>
    <div class="book-text" ref=${text} dangerouslySetInnerHTML=${{ __html: book.html }}></div>
  </div>`;
}

/** Finds words where they begin; in Indonesian also inside, behind a prefix.
 * @param {string} wanted @returns {RegExp[]} */
function patterns(wanted) {
  const start = spoken.peek() === "en" ? "(?<!\\p{L})" : "";
  const words = wanted.trim().split(/\s+/).filter(Boolean);
  return words.map((word) => new RegExp(start + word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu"));
}

/** Show only what holds the words, and mark them.
 * @param {HTMLElement} text
 * @param {string} wanted
 * @returns {number} how many rules, -1 without a search */
function search(text, wanted) {
  const words = patterns(wanted);
  const highlights = /** @type {any} */ (CSS).highlights;
  highlights?.delete("sought-words");
  /** @type {HTMLElement | null} */
  let heading = null;
  let found = 0;
  for (const block of /** @type {Iterable<HTMLElement>} */ (text.children)) {
    if (/^H[23]$/.test(block.tagName)) {
      heading = block;
      block.hidden = words.length > 0;
      continue;
    }
    const content = block.textContent ?? "";
    block.hidden = !words.every((word) => content.search(word) >= 0);
    if (words.length && !block.hidden) {
      found += 1;
      if (heading) heading.hidden = false;
    }
  }
  if (!words.length) return -1;
  if (highlights) highlights.set("sought-words", new /** @type {any} */ (window).Highlight(...ranges(text, words)));
  return found;
}

/** @param {HTMLElement} text @param {RegExp[]} words @returns {Range[]} */
function ranges(text, words) {
  const found = [];
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const word of words) {
      for (const hit of (node.textContent ?? "").matchAll(word)) {
        const range = new Range();
        range.setStart(node, hit.index);
        range.setEnd(node, hit.index + hit[0].length);
        found.push(range);
      }
    }
  }
  return found;
}
