// @ts-check
// The check of a match's shuffles, done in this browser alone.

import { useEffect, useMemo, useState } from "preact/hooks";
import { game } from "../games.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { Failure, useLoad } from "../load.mjs";
import { Page } from "../page.mjs";
import { go, place, setSearch } from "../router.mjs";
import { plural, t } from "../words.mjs";
import { checkRecord, remembered } from "./fairness.mjs";
import { OpenRecord, RecordChoice, useFileDrop } from "./open.mjs";
import { asJson, opened, playerOf, recordOf, recordsOf } from "./opened.mjs";

/** @typedef {import("./fairness.mjs").Result} Result */
/** @typedef {import("./fairness.mjs").DealResult} DealResult */
/** @typedef {import("./fairness.mjs").Fault} Fault */

export default function VerifyPage() {
  const table = new URLSearchParams(place.value.search).get("table");
  const over = useFileDrop(open);
  const record = opened.value && (table === null || opened.value.table === table) ? opened.value : null;

  /** @param {import("./opened.mjs").Opened} found */
  function open(found) {
    opened.value = found;
    setSearch("");
  }

  function close() {
    opened.value = null;
    setSearch("");
  }

  return html`<${Page} title=${t("Check the shuffles")} class="verify-page">
    ${over && html`<div class="record-over" aria-hidden="true">${t("Drop the record to open it")}</div>`}
    <p class="lead">
      ${t("Before each deal the server shows a fingerprint of its secret number, and every player's browser adds a number of its own. The order of the cards follows from all of them. When the deal is over the secret is shown, and anybody can do the shuffle again.")}
    </p>
    ${record
      ? html`<${Checks} key=${record.text} text=${record.text} onClose=${close} />`
      : table
        ? html`<${FromTable} table=${table} />`
        : html`<${OpenRecord} text="" action=${t("Check it")} onOpen=${open} />`}
    <${Meaning} />
  <//>`;
}

/** @param {{ table: string }} props */
function FromTable({ table }) {
  const { data, error, reload } = useLoad(() => recordOf(table), [table]);
  useEffect(() => {
    if (data) {
      opened.value = data;
    }
  }, [data]);
  return error ? html`<${Failure} error=${error} again=${reload} />` : html`<p class="muted" role="status">${t("Opening the record …")}</p>`;
}

/** @param {{ text: string, onClose: () => void }} props */
function Checks({ text, onClose }) {
  const records = useMemo(() => recordsOf(text), [text]);
  const [chosen, setChosen] = useState(0);
  return html`<${RecordChoice} records=${records} chosen=${chosen} onChoose=${setChosen} />
    <${Check} key=${chosen} text=${records[chosen] ?? text} />
    <div class="actions verify-actions">
      <button type="button" class="button" onClick=${() => go("/replay")}>${t("Replay the match")}</button>
      <button type="button" class="button quiet" onClick=${onClose}>${t("Open another record")}</button>
    </div>`;
}

/** @param {{ text: string }} props */
function Check({ text }) {
  const record = useMemo(() => asJson(text), [text]);
  const [result, setResult] = useState(/** @type {Result | null} */ (null));
  const [done, setDone] = useState({ done: 0, of: 0 });
  const able = Boolean(globalThis.crypto?.subtle);
  useEffect(() => {
    let wanted = true;
    if (able) {
      void checkRecord(record, remembered, (number, of) => wanted && setDone({ done: number, of })).then((found) => wanted && setResult(found));
    }
    return () => {
      wanted = false;
    };
  }, [record, able]);

  if (!able) {
    return html`<${Verdict} tone="warning" title=${t("This browser cannot check here.")}>
      ${t("Browsers offer the needed functions on https pages and on this computer only. Download the record and use: meja verify FILE")}
    <//>`;
  }
  if (!result) {
    return html`<p role="status">${t("Checking deal {done} of {of} …", done)}</p>`;
  }
  if (result.trouble) {
    return html`<${Verdict} tone="warning" title=${t("There is nothing to check.")}>${troubleText(result.trouble)}<//>`;
  }
  const title = game(String(record?.game))?.title;
  return html`<p class="verify-match">${title && html`<b>${title}</b>`}<span>${namesOf(record).join(" · ")}</span></p>
    <${Summary} result=${result} />
    <ol class="verify-deals">
      ${result.deals.map((deal, index) => html`<${DealRow} key=${index} deal=${deal} />`)}
    </ol>`;
}

/** The players by the names they had at the table. @param {any} record @returns {string[]} */
function namesOf(record) {
  const players = Array.isArray(record?.players) ? record.players : [];
  const names = Array.isArray(record?.meta?.names) ? record.meta.names : [];
  return players.map((/** @type {unknown} */ player, /** @type {number} */ seat) => (typeof names[seat] === "string" && names[seat]) || playerOf(String(player)).name);
}

/** @param {NonNullable<Result["trouble"]>} trouble */
function troubleText(trouble) {
  switch (trouble) {
    case "no-fairness":
      return t("This record says nothing of how its cards were shuffled. Only matches of the table in the browser do.");
    case "other-version":
      return t("This record was shuffled in a way that this page does not know.");
    case "unknown-game":
      return t("This record is of a game that this page does not know.");
    default:
      return t("This is not a record of Meja, or it is damaged.");
  }
}

/** The answer in one sentence, and how much it is worth.
 * @param {{ result: Result }} props */
function Summary({ result }) {
  const { deals } = result;
  const broken = deals.filter((deal) => deal.outcome === "broken").map((deal) => String(deal.deal));
  const unsure = deals.filter((deal) => deal.outcome === "open").map((deal) => String(deal.deal));
  const proved = deals.length - broken.length - unsure.length;
  const kept = deals.filter((deal) => deal.remembered).length;
  if (broken.length) {
    return html`<${Verdict} tone="error" title=${t("The cards do not fit what was promised.")}>
      ${t("Something is wrong with these deals: {deals}.", { deals: broken.join(", ") })}
    <//>`;
  }
  if (unsure.length || !deals.length) {
    return html`<${Verdict} tone="warning" title=${t("Not every deal can be checked.")}>
      ${plural(proved, t("{count} deal is as promised.", { count: proved }), t("{count} deals are as promised.", { count: proved }))}
      ${unsure.length ? ` ${t("These cannot be checked: {deals}.", { deals: unsure.join(", ") })}` : ""}
    <//>`;
  }
  return html`<${Verdict} tone="good" title=${t("Every deal is exactly the one that was promised.")}>
    ${plural(proved, t("{count} deal was shuffled again here, with the same cards for everybody.", { count: proved }), t("{count} deals were shuffled again here, with the same cards for everybody.", { count: proved }))}
    ${" "}
    ${kept === deals.length
      ? t("This browser was at the table: the fingerprints it saw before each deal are the same.")
      : kept
        ? t("This browser saw the fingerprints of {kept} of these deals before they were dealt, and they are the same.", { kept })
        : t("This browser was not at the table, so it compares the record with itself only. A player's own browser can compare more.")}
  <//>`;
}

/** @param {{ tone: "good" | "warning" | "error", title: string, children?: any }} props */
function Verdict({ tone, title, children }) {
  return html`<div class="verdict" data-tone=${tone} role="status">
    <${Icon} name=${tone === "good" ? "shield" : "warning"} class="verdict-icon" />
    <div>
      <h2>${title}</h2>
      <p>${children}</p>
    </div>
  </div>`;
}

/** @param {{ deal: DealResult }} props */
function DealRow({ deal }) {
  const proved = deal.outcome === "proved";
  const notes = proved
    ? [
        deal.seeds
          ? plural(deal.seeds, t("{count} player's number is in it", { count: deal.seeds }), t("{count} players' numbers are in it", { count: deal.seeds }))
          : t("no player's number is in it: the server alone chose this shuffle"),
        ...(deal.reshuffles ? [plural(deal.reshuffles, t("{count} reshuffle fits too", { count: deal.reshuffles }), t("{count} reshuffles fit too", { count: deal.reshuffles }))] : []),
        ...(deal.remembered ? [t("the fingerprint is the one this browser saw")] : []),
      ]
    : deal.faults.map(faultText);
  return html`<li class="verify-deal" data-outcome=${deal.outcome}>
    <span class="verify-sign" aria-hidden="true">${proved ? "✓" : deal.outcome === "broken" ? "✗" : "?"}</span>
    <span class="verify-name">${t("Deal {n}", { n: deal.deal })}</span>
    <span class="verify-words">
      <b>${proved ? t("as promised") : deal.outcome === "broken" ? t("not as promised") : t("cannot be checked")}</b>
      ${notes.map((note) => html`<span key=${note}>${note}</span>`)}
    </span>
  </li>`;
}

/** @param {Fault} fault */
function faultText(fault) {
  switch (fault) {
    case "entry-missing":
      return t("the record says nothing of its shuffle");
    case "entry-twice":
      return t("the record tells its shuffle twice");
    case "no-such-deal":
      return t("the record tells of a shuffle, but there is no such deal");
    case "seed-hidden":
      return t("the server's secret was never shown");
    case "seed-broken":
      return t("the numbers of its shuffle are damaged");
    case "commit-wrong":
      return t("the server's secret does not fit the fingerprint shown before the deal");
    case "hands-differ":
      return t("the hands are not those that the shuffle gives");
    case "monte-differs":
      return t("the monte is not the one that the shuffle gives");
    case "upcard-differs":
      return t("the card turned up is not the one that the shuffle gives");
    case "stock-differs":
      return t("the stock is not the one that the shuffle gives");
    case "reshuffle-differs":
      return t("a reshuffle is not the one that the numbers give");
    case "promise-broken":
      return t("this browser saw another fingerprint before the deal");
    default:
      return t("the number that this browser gave is not in it");
  }
}

/** What follows from it, and what does not. */
function Meaning() {
  return html`<section class="verify-meaning">
    <div>
      <h2>${t("What this shows")}</h2>
      <ul>
        <li>${t("The order of the cards was fixed before the deal and was not changed afterwards.")}</li>
        <li>${t("Where a player's own number is in it, nobody could choose the order, not even the server.")}</li>
        <li>${t("The cards in the record are exactly those that this order gives.")}</li>
      </ul>
    </div>
    <div>
      <h2>${t("What it does not show")}</h2>
      <ul>
        <li>${t("That nobody looked: whoever runs the server could see the cards while you played.")}</li>
        <li>${t("That players did not talk to each other.")}</li>
        <li>${t("That a record without anybody's own memory of it is the match you played.")}</li>
      </ul>
    </div>
    <details>
      <summary>${t("How it is done, exactly")}</summary>
      <p>${t("The fingerprint is SHA-256 of the server's 32 secret bytes, the table's name and the number of the deal. The numbers come from HMAC-SHA256 under that secret over the players' numbers, the table, the deal and a counter; they shuffle the pack by Fisher and Yates, without any bias. The method is called meja-shuffle/1; the command line does the same with: meja verify FILE")}</p>
    </details>
  </section>`;
}
