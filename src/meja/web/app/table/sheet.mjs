// @ts-check
// The score: one line per reason with the number of its rule, the totals, the graph; between deals and at the end.
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { list, t } from "../words.mjs";
import { Graph, plain } from "./graph.mjs";
import { useNow } from "./seats.mjs";
import { signed } from "./tell.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./surface.d.ts").TableState} TableState */

/**
 * Each seat with its points of the deal, why, and its new total, the best first.
 * @param {{state: TableState, names: string[], openRule: (rule?: string) => void}} props
 */
export function Sheet({ state, names, openRule }) {
  const { sheet, scores } = state;
  if (!sheet) return html`<p class="quiet">${t("No deal has been finished yet.")}</p>`;
  const low = scores.aim === "low";
  const order = names.map((_, seat) => seat).sort((a, b) => (low ? 1 : -1) * (scores.totals[a] - scores.totals[b]) || a - b);
  return html`<div class="sheet">
    ${(sheet.note || sheet.void) && html`<p class="void-note">${sheet.note || t("This deal is void: nobody scores.")}</p>`}
    <table class="sheet-table">
      <thead>
        <tr>
          <th scope="col">${t("Player")}</th>
          <th scope="col" class="num">${t("This deal")}</th>
          <th scope="col" class="num">${t("Total")}</th>
        </tr>
      </thead>
      <tbody>
        ${order.map((seat) => {
          const lines = sheet.lines.filter((line) => line.seat === seat);
          const points = sheet.points[seat];
          return html`<${Fragment} key=${seat}>
            <tr data-me=${state.me.seat === seat ? "" : undefined}>
              <th scope="row">${names[seat]}</th>
              <td class="num points" data-good=${points !== 0 && points < 0 === low ? "" : undefined}>${sheet.void ? "–" : signed(points)}</td>
              <td class="num total">${plain(scores.totals[seat])}</td>
            </tr>
            <tr class="reasons">
              <td colspan="3">
                ${lines.map(
                  (line, index) => html`<p key=${index}>
                    ${lines.length > 1 && line.points ? html`<b>${signed(line.points)}</b> ` : ""}${line.text}
                    ${line.rule && html` <${RuleLink} state=${state} rule=${line.rule} openRule=${openRule} />`}
                  </p>`,
                )}
              </td>
            </tr>
          <//>`;
        })}
      </tbody>
    </table>
    <p class="aim">${aimText(state)}</p>
  </div>`;
}

/** @param {TableState} state */
function aimText({ scores, length, counted }) {
  const { aim_text: best } = scores;
  return length !== null ? `${t("{n} of {of} deals played.", { n: counted, of: length })} ${best}` : best;
}

/** The number of a rule as a link that opens beside the table. @param {{state: TableState, rule: string, openRule: (rule?: string) => void}} props */
export function RuleLink({ state, rule, openRule }) {
  return html`<a
    class="rule-link"
    href=${`/rules/${state.game}#${rule}`}
    aria-label=${t("rule {rule}", { rule })}
    onClick=${(/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      openRule(rule);
    }}
    >${rule}</a
  >`;
}

/** The whole score on its own: sheet, graph. @param {{state: TableState, names: string[], openRule: (rule?: string) => void}} props */
export function Scores({ state, names, openRule }) {
  return html`<div class="scores">
    ${state.sheet && html`<h3>${t("Deal {n}", { n: state.sheet.deal })}</h3>`}
    <${Sheet} state=${state} names=${names} openRule=${openRule} />
    <${Graph} deals=${state.scores.deals} names=${names} target=${state.target} />
  </div>`;
}

/**
 * What lies over the felt between two deals and at the end of the match.
 * @param {object} props
 * @param {Update} props.update
 * @param {string[]} props.names
 * @param {(rule?: string) => void} props.openRule
 * @param {() => void} props.onNext
 * @param {() => void} props.onRematch
 * @param {() => void} props.onReport
 * @param {boolean} props.waiting the command is on its way
 */
export function Pause({ update, names, openRule, onNext, onRematch, onReport, waiting }) {
  const { state } = update;
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  const over = state.status === "finished" || state.status === "closed";
  useEffect(() => {
    // The hand that had the focus is gone; the next thing to do is here.
    const at = document.activeElement;
    if (!at || at === document.body || at.closest(".hand, .choices, .kaluki")) heading.current?.focus({ preventScroll: true });
  }, [over]);
  return html`<section class="pause" aria-labelledby="pause-title">
    <div class="pause-box" data-over=${over ? "" : undefined}>
      <h2 id="pause-title" tabindex="-1" ref=${heading}>${over ? resultText(state, names) : t("Deal {n}", { n: state.deal })}</h2>
      <div class="pause-body" tabindex="0" role="group" aria-labelledby="pause-title">
        ${state.sheet && html`<${Sheet} state=${state} names=${names} openRule=${openRule} />`}
        <${Graph} deals=${state.scores.deals} names=${names} target=${state.target} />
      </div>
      <div class="pause-foot">${over
        ? html`<${After} update=${update} onRematch=${onRematch} onReport=${onReport} waiting=${waiting} />`
        : html`<${Next} update=${update} names=${names} onNext=${onNext} waiting=${waiting} />`}</div>
    </div>
  </section>`;
}

/** @param {TableState} state @param {string[]} names */
export function resultText({ scores, me, status }, names) {
  const winners = scores.winners ?? [];
  if (status === "closed" && !winners.length) return t("The match was ended before its end.");
  if (winners.length > 1) return t("The match is shared by {names}.", { names: list(winners.map((seat) => names[seat])) });
  if (winners[0] === me.seat) return t("You have won the match!");
  return winners.length ? t("{name} has won the match.", { name: names[winners[0]] }) : t("The match is over.");
}

/** @param {{update: Update, names: string[], onNext: () => void, waiting: boolean}} props */
function Next({ update, names, onNext, waiting }) {
  const { state } = update;
  const now = useNow(state.next_at !== null);
  const missing = state.seats.filter((seat) => seat.kind === "person" && !seat.covered && !seat.ready);
  const left = state.next_at === null ? null : Math.max(0, Math.ceil((state.next_at - now) / 1000));
  const others = missing.filter((seat) => seat.seat !== state.me.seat).map((seat) => names[seat.seat]);
  return html`<p class="who-ready" role="status">
      ${!state.can.ready && others.length > 0 ? t("Waiting for {names}.", { names: list(others) }) : ""}
      ${left !== null && html` <span class="next-in">${t("The next deal starts in {seconds} s.", { seconds: left })}</span>`}
    </p>
    ${state.can.ready && html`<button type="button" class="button primary next" aria-disabled=${waiting ? "true" : undefined} onClick=${onNext}>${t("Next deal")}</button>`}`;
}

/** @param {{update: Update, onRematch: () => void, onReport: () => void, waiting: boolean}} props */
function After({ update, onRematch, onReport, waiting }) {
  const { state, table } = update;
  const id = encodeURIComponent(table);
  return html`<div class="after">
    ${state.rematch
      ? html`<a class="button primary" href=${`/t/${state.rematch}`}>${t("Go to the new table")}</a>`
      : state.can.rematch && html`<button type="button" class="button primary" aria-disabled=${waiting ? "true" : undefined} onClick=${onRematch}>${t("Play again")}</button>`}
    ${state.can.record &&
    html`<a class="button" href=${`/replay?table=${id}`}><${Icon} name="replay" />${t("Replay the match")}</a>
      <a class="button" href=${`/verify?table=${id}`}><${Icon} name="check" />${t("Check the shuffles")}</a>
      <a class="button" href=${`/api/tables/${id}/record`} download=${`meja-${table}.json`}><${Icon} name="download" />${t("Download the record")}</a>`}
    <button type="button" class="button" onClick=${onReport}><${Icon} name="flag" />${t("Report a problem")}</button>
    <a class="button" href="/">${t("Home")}</a>
  </div>`;
}
