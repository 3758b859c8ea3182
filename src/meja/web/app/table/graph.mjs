// @ts-check
// The totals deal by deal as lines: each seat with its own dashes and its name at the end, never by colour alone.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.mjs";
import { t } from "../words.mjs";

const LEFT = 36;
const GAP = 12;
/** The size of a label, as the style has it. */
const LABEL = 13;
const TOP = 14;
const BOTTOM = 28;

/**
 * The totals after every deal, beginning with nothing.
 * @param {{points: number[], void: boolean}[]} deals @param {number} seats
 */
export function runningTotals(deals, seats) {
  const rows = [Array.from({ length: seats }, () => 0)];
  for (const { points } of deals) rows.push(rows[rows.length - 1].map((total, seat) => total + (points[seat] ?? 0)));
  return rows;
}

/** Round numbers from `low` to `high`. @param {number} low @param {number} high */
export function ticks(low, high) {
  const rough = Math.max(1, (high - low) / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step);
}

/**
 * Labels at the line ends, moved apart so that none covers another.
 * @param {number[]} places @param {number} gap @param {number} low @param {number} high
 */
export function spreadLabels(places, gap, low, high) {
  const order = places.map((_, seat) => seat).sort((a, b) => places[a] - places[b]);
  const moved = [...places];
  let last = -Infinity;
  for (const seat of order) {
    moved[seat] = Math.max(moved[seat], last + gap, low);
    last = moved[seat];
  }
  let next = high + gap;
  for (const seat of [...order].reverse()) {
    moved[seat] = Math.min(moved[seat], next - gap);
    next = moved[seat];
  }
  return moved;
}

/** @param {{deals: {points: number[], void: boolean}[], names: string[], target: number | null}} props */
export function Graph({ deals, names, target }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [deals.length > 0]);
  if (deals.length < 1) return null;
  const height = Math.round(Math.max(130, Math.min(240, width * 0.42)));
  const rows = runningTotals(deals, names.length);
  const all = rows.flat();
  const low = Math.min(0, ...all);
  const high = Math.max(low + 1, ...all, ...(target !== null && Math.max(...all) > target * 0.5 ? [target] : []));
  const last = rows[rows.length - 1];
  const ends = names.map((name, seat) => `${short(name)} ${plain(last[seat])}`);
  const right = GAP + 4 + Math.max(...ends.map((text) => textWidth(text, box.current)));
  const x = (/** @type {number} */ deal) => LEFT + (deal / Math.max(1, rows.length - 1)) * (width - LEFT - right);
  const y = (/** @type {number} */ total) => TOP + ((high - total) / (high - low)) * (height - TOP - BOTTOM);
  const labels = spreadLabels(last.map(y), 17, TOP + 4, height - BOTTOM);
  const every = Math.ceil((rows.length - 1) / Math.max(4, width / 50)) || 1;
  return html`<figure class="graph" ref=${box}>
    <svg viewBox=${`0 0 ${Math.max(1, width)} ${height}`} role="img" aria-label=${t("Totals after each deal")}>
      ${ticks(low, high).map(
        (value) => html`<g key=${value} class="tick" data-zero=${value === 0 ? "" : undefined}>
          <line x1=${LEFT} x2=${width - right} y1=${y(value)} y2=${y(value)} />
          <text x=${LEFT - 8} y=${y(value) + 4} text-anchor="end">${plain(value)}</text>
        </g>`,
      )}
      ${target !== null && target <= high && html`<line class="target" x1=${LEFT} x2=${width - right} y1=${y(target)} y2=${y(target)} />`}
      ${rows.map((_, deal) => deal % every === 0 && html`<text key=${`deal${deal}`} class="deal-number" x=${x(deal)} y=${height - 8} text-anchor="middle">${deal}</text>`)}
      ${names.map(
        (_, seat) => html`<g key=${seat} class="line" data-hue=${seat}>
          <polyline points=${rows.map((row, deal) => `${x(deal)},${y(row[seat])}`).join(" ")} />
          ${rows.map((row, deal) => html`<${Mark} key=${deal} seat=${seat} x=${x(deal)} y=${y(row[seat])} />`)}
          <text x=${width - right + 12} y=${labels[seat] + 5}>${ends[seat]}</text>
        </g>`,
      )}
    </svg>
    <details>
      <summary>${t("The totals as a table")}</summary>
      <${TotalsTable} rows=${rows} deals=${deals} names=${names} />
    </details>
  </figure>`;
}

/** The pencil that measures. @type {CanvasRenderingContext2D | null | undefined} */
let pencil;

/** How wide a label is drawn. @param {string} text @param {Element | null} box where it stands */
function textWidth(text, box) {
  pencil ??= document.createElement("canvas").getContext("2d");
  if (!pencil || !box) return text.length * 8;
  pencil.font = `${LABEL}px ${getComputedStyle(box).fontFamily}`;
  return Math.ceil(pencil.measureText(text).width);
}

/** A number with a true minus sign. @param {number} value */
export function plain(value) {
  return value < 0 ? `−${-value}` : String(value);
}

/** @param {string} name */
function short(name) {
  return name.length > 10 ? `${name.slice(0, 9)}…` : name;
}

/** A sign of its own for each seat. @param {{seat: number, x: number, y: number}} props */
function Mark({ seat, x, y }) {
  switch (seat) {
    case 0:
      return html`<circle class="mark" cx=${x} cy=${y} r="4" />`;
    case 1:
      return html`<rect class="mark" x=${x - 4} y=${y - 4} width="8" height="8" />`;
    case 2:
      return html`<path class="mark" d=${`M${x} ${y - 5}l5 9h-10z`} />`;
    case 3:
      return html`<path class="mark" d=${`M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z`} />`;
    default:
      return html`<path class="mark cross" d=${`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} />`;
  }
}

/** @param {{rows: number[][], deals: {points: number[], void: boolean}[], names: string[]}} props */
function TotalsTable({ rows, deals, names }) {
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label=${t("The totals as a table")}>
    <table class="totals">
      <thead>
        <tr>
          <th scope="col">${t("Deal")}</th>
          ${names.map((name, seat) => html`<th scope="col" key=${seat}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${deals.map(
          (deal, index) => html`<tr key=${index}>
            <th scope="row">${index + 1}</th>
            ${deal.void
              ? html`<td colspan=${names.length} class="void">${t("void")}</td>`
              : names.map((_, seat) => html`<td key=${seat}>${plain(rows[index + 1][seat])}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
