// @ts-check
// The replay of a match: every deal, step by step, with all hands open.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { Failure, useLoad } from "../load.mjs";
import { post } from "../net.mjs";
import { Page } from "../page.mjs";
import { go, Link, place, setSearch } from "../router.mjs";
import { Sheet } from "../table/sheet.mjs";
import { signed } from "../table/tell.mjs";
import { rich, spoken, t } from "../words.mjs";
import { KeepRecord } from "./keep.mjs";
import { OpenRecord, RecordChoice, useFileDrop } from "./open.mjs";
import { LARGEST, opened, playerOf, recordOf, recordsOf } from "./opened.mjs";
import { Player } from "./player.mjs";
import { ReplayStage } from "./stage.mjs";

/** @typedef {import("../../types.d.ts").Replay} Replay */
/** @typedef {import("./opened.mjs").Opened} Opened */

export default function ReplayPage() {
  const params = new URLSearchParams(place.value.search);
  const table = params.get("table");
  const [pasted, setPasted] = useState("");
  const over = useFileDrop(open);
  const record = opened.value && (table === null || opened.value.table === table) ? opened.value : null;

  useEffect(() => {
    if (table && opened.value?.table !== table) {
      opened.value = null;
    }
  }, [table]);

  /** @param {Opened} found */
  function open(found) {
    opened.value = found;
    setSearch("");
  }

  /** Back to the choice, with what was pasted still there.
   * @param {string} text */
  function close(text) {
    setPasted(text.length <= LARGEST ? text : "");
    opened.value = null;
    setSearch("");
  }

  return html`<${Page} title=${t("Replay")} class="replay-page">
    ${over && html`<div class="record-over" aria-hidden="true">${t("Drop the record to open it")}</div>`}
    ${record
      ? html`<${Records} key=${record.text} record=${record} onClose=${close} />`
      : table
        ? html`<${FromTable} table=${table} />`
        : html`<p class="lead">${t("Look at a finished match again, step by step, with all hands open.")}</p>
            <${OpenRecord} text=${pasted} action=${t("Open the record")} onOpen=${open} />
            <p class="muted">${rich(t("Your own finished matches are under {games}."), { games: html`<${Link} href="/mine">${t("My games")}<//>` })}</p>`}
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

/** One record, or the choice between several.
 * @param {{ record: Opened, onClose: (text: string) => void }} props */
function Records({ record, onClose }) {
  const records = useMemo(() => recordsOf(record.text), [record.text]);
  const [chosen, setChosen] = useState(0);
  return html`<${RecordChoice} records=${records} chosen=${chosen} onChoose=${setChosen} />
    <${Match} key=${chosen} text=${records[chosen] ?? record.text} source=${record} onClose=${() => onClose(record.text)} />`;
}

/** Loads the deals of a record as they are looked at, and the next one ahead.
 * @param {string} text
 * @param {number} deal */
function useDeals(text, deal) {
  const kept = useRef(/** @type {Map<string, Promise<Replay>>} */ (new Map()));
  /** @param {number} number
   * @returns {Promise<Replay>} */
  const ask = (number) => {
    const name = `${spoken.value} ${number}`;
    let known = kept.current.get(name);
    if (!known) {
      known = text.length > LARGEST
        ? Promise.reject(new Error(t("This record is larger than any match can be.")))
        : post("/api/replay", { record: text, deal: number }, { again: true, timeout: 30_000 });
      kept.current.set(name, known);
      known.catch(() => kept.current.delete(name));
    }
    return known;
  };
  const loaded = useLoad(() => ask(deal), [deal]);
  const { data } = loaded;
  useEffect(() => {
    if (data && data.deal === deal && deal < data.deals) {
      const timer = setTimeout(() => void ask(deal + 1).catch(() => {}), 400);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [data]);
  return loaded;
}

/** @param {{ text: string, source: Opened, onClose: () => void }} props */
function Match({ text, source, onClose }) {
  const params = new URLSearchParams(place.value.search);
  const [deal, setDeal] = useState(Math.max(1, Number(params.get("deal")) || 1));
  const [step, setStep] = useState(Math.max(0, Number(params.get("step")) || 0));
  const { data: found, error, loading, reload } = useDeals(text, deal);
  const stage = useRef(/** @type {HTMLDivElement | null} */ (null));
  const data = /** @type {(Replay & { scores?: (number[] | null)[], winners?: number[] | null }) | null} */ (found);
  const waiting = loading || data?.deal !== deal;
  const last = data ? data.steps.length - 1 : 0;
  const shown = Math.min(step, last);

  useEffect(() => {
    // A link to this very moment, for a match that the server has.
    if (source.table && data && !waiting) {
      setSearch(`?${new URLSearchParams({ table: source.table, deal: String(deal), step: String(shown) })}`);
    }
  }, [deal, shown, waiting, source.table]);

  if (error && !data) {
    return html`<div class="stack">
      <div class="note error" role="alert">
        <${Icon} name="warning" />
        <div class="stack"><p><strong>${t("This record cannot be opened.")}</strong></p><p>${error.text}</p></div>
      </div>
      <div class="actions">
        ${error.status === 0 && html`<button type="button" class="button" onClick=${reload}>${t("Try again")}</button>`}
        <button type="button" class="button" onClick=${onClose}>${t("Open another record")}</button>
      </div>
    </div>`;
  }
  if (!data) {
    return html`<p class="muted" role="status">${t("Opening the record …")}</p>`;
  }

  /** @param {number} number
   * @param {number} [at] */
  const showDeal = (number, at = 0) => {
    setDeal(Math.max(1, Math.min(data.deals, number)));
    setStep(at);
  };
  const players = data.players.map(playerOf);
  const names = players.map(({ name }) => name);
  const lines = data.steps[shown].lines;
  const winners = (data.winners ?? []).map((seat) => names[seat]);
  return html`<div class="replay" aria-busy=${waiting ? "true" : undefined}>
    <header class="replay-head">
      <div>
        <h2>${data.title}</h2>
        <p class="muted">${names.join(" · ")}${winners.length ? ` — ${t("won by {names}", { names: winners.join(", ") })}` : ""}${!data.finished ? ` — ${t("unfinished")}` : ""}</p>
        ${data.changed.length > 0 && html`<p class="muted">${data.changed.join(" · ")}</p>`}
      </div>
    </header>
    <div class="replay-tools">
      <${KeepRecord} text=${text} name=${source.name} />
      ${data.fairness &&
      html`<button type="button" class="button small" onClick=${() => go(source.table ? `/verify?table=${encodeURIComponent(source.table)}` : "/verify")}>
        <${Icon} name="shield" />${t("Check the shuffles")}
      </button>`}
      <button type="button" class="button small quiet" onClick=${onClose}>${t("Open another record")}</button>
    </div>
    <div class="replay-main" ref=${stage}>
      <${ReplayStage} replay=${data} step=${shown} players=${players} />
      <p class="replay-now" role="status">${lines.length ? lines.join(" ") : data.steps[shown].action ?? ""}</p>
      <${Player}
        step=${shown}
        last=${last}
        hasNext=${deal < data.deals}
        hasBefore=${deal > 1}
        waiting=${waiting}
        onStep=${setStep}
        onDeal=${(/** @type {1 | -1} */ by) => showDeal(deal + by)}
      />
    </div>
    <aside class="replay-side">
      <${Deals} data=${data} deal=${deal} names=${names} onDeal=${showDeal} />
      <${Moves} steps=${data.steps} step=${shown} onStep=${setStep} />
      ${shown === last && data.sheet && html`<section class="replay-sheet" aria-label=${t("Score")}><${SheetOf} data=${data} names=${names} /></section>`}
    </aside>
  </div>`;
}

/** The deals of the match with what each brought.
 * @param {{ data: Replay & { scores?: (number[] | null)[] }, deal: number, names: string[], onDeal: (deal: number) => void }} props */
function Deals({ data, deal, names, onDeal }) {
  return html`<div class="replay-deals">
    <button type="button" class="icon-button" aria-label=${t("Deal before")} disabled=${deal === 1} onClick=${() => onDeal(deal - 1)}><${Icon} name="back" /></button>
    <label class="replay-deal-choice">
      <span class="visually-hidden">${t("Deal")}</span>
      <select value=${deal} onChange=${(/** @type {Event} */ event) => onDeal(Number(/** @type {HTMLSelectElement} */ (event.currentTarget).value))}>
        ${Array.from({ length: data.deals }, (_, index) => {
          const score = data.scores?.[index];
          const brought = score ? names.map((name, seat) => `${name} ${signed(score[seat])}`).join(", ") : "";
          return html`<option value=${index + 1} key=${index}>${t("Deal {n}", { n: index + 1 })}${brought ? `: ${brought}` : ""}</option>`;
        })}
      </select>
    </label>
    <button type="button" class="icon-button" aria-label=${t("Deal after")} disabled=${deal === data.deals} onClick=${() => onDeal(deal + 1)}><${Icon} name="next" /></button>
  </div>`;
}

/** Every step in words; each can be gone to.
 * @param {{ steps: Replay["steps"], step: number, onStep: (step: number) => void }} props */
function Moves({ steps, step, onStep }) {
  const box = useRef(/** @type {HTMLOListElement | null} */ (null));
  useEffect(() => {
    // Only the list scrolls, never the page.
    const row = /** @type {HTMLElement | null} */ (box.current?.children[step] ?? null);
    if (box.current && row) {
      const top = row.offsetTop - box.current.offsetTop;
      const { scrollTop, clientHeight } = box.current;
      if (top < scrollTop || top + row.offsetHeight > scrollTop + clientHeight) {
        box.current.scrollTop = top - clientHeight / 3;
      }
    }
  }, [step, steps]);
  return html`<ol class="replay-moves" ref=${box} aria-label=${t("Moves")} tabindex="-1">
    ${steps.map(
      ({ action, lines }, number) => html`<li key=${number}>
        <button type="button" aria-current=${number === step ? "step" : undefined} onClick=${() => onStep(number)}>
          ${lines.length ? lines.map((line, index) => html`<span key=${index}>${line}</span>`) : html`<span>${action}</span>`}
        </button>
      </li>`,
    )}
  </ol>`;
}

/** @param {{ data: Replay & { scores?: (number[] | null)[] }, names: string[] }} props */
function SheetOf({ data, names }) {
  const totals = names.map((_, seat) => (data.scores ?? []).slice(0, data.deal).reduce((sum, score) => sum + (score?.[seat] ?? 0), 0));
  const low = data.game === "bassadewitz" && data.rules.classic_pool !== true;
  const state = /** @type {any} */ ({
    game: data.game,
    sheet: data.sheet,
    scores: { totals, aim: low ? "low" : "high", deals: [], winners: null },
    me: { seat: null },
    target: null,
    length: null,
    counted: data.deal,
  });
  return html`<h3>${t("Deal {n}", { n: data.deal })}</h3>
    <${Sheet} state=${state} names=${names} openRule=${(/** @type {string} */ rule) => go(`/rules/${data.game}#${rule}`)} />`;
}
