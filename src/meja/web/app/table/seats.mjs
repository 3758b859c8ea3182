// @ts-check
// Who sits around the table, and how it stands with them.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { serverNow } from "../net.mjs";
import { BASE, number, t } from "../words.mjs";
import { heardMessages } from "./mute.mjs";

/** @typedef {import("./surface.d.ts").SeatState} SeatState */
/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./stage.mjs").Bubble} SeatBubble */

/**
 * Where a seat stands: 0 is the own place (a spectator sits with seat 0), then clockwise.
 * @param {number} seat @param {number | null} me @param {number} seats
 */
export function placeOf(seat, me, seats) {
  return (seat - (me ?? 0) + seats) % seats;
}

/**
 * From the middle to a place, as seen from above: x to the right, y down, both from -1 to 1.
 * @param {number} place @param {number} seats
 */
export function direction(place, seats) {
  const angle = (2 * Math.PI * place) / seats;
  return { x: -Math.sin(angle), y: Math.cos(angle) };
}

/** @param {string} name */
export function initials(name) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return letters.map((word) => [...word][0] ?? "").join("").toUpperCase() || "?";
}

/** The time now, told again and again while `active`. @param {boolean} active @param {number} [every] */
export function useNow(active, every = 250) {
  const [now, setNow] = useState(serverNow());
  useEffect(() => {
    if (!active) return undefined;
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), every);
    return () => clearInterval(timer);
  }, [active, every]);
  return active ? now : serverNow();
}

/**
 * A seat's sign: a button that opens what can be done about it.
 *
 * @param {object} props
 * @param {number} props.seat
 * @param {Update} props.update
 * @param {string} props.link
 * @param {(seat: number) => void} props.openSeat
 * @param {{icon: string, value: string | number, label: string}[]} [props.counts] cards left, tricks ...
 * @param {{text: string, label: string, tone?: string} | null} [props.role] the bid, "Solo" ...
 * @param {SeatBubble | null} [props.bubble]
 * @param {boolean} [props.own] the own seat, drawn in one line
 * @param {string} [props.idle] why the seat does not play: "sits out"
 */
export function SeatBadge({ seat, update, link, openSeat, counts = [], role = null, bubble = null, own = false, idle = "" }) {
  const { state, view } = update;
  const who = state.seats[seat];
  const playing = state.status === "playing";
  const turn = playing && view?.to_act === seat;
  const dealer = view?.dealer === seat;
  const presence = presenceOf(who);
  // From the second deal on there is a score to play for.
  const total = state.scores.deals.length ? number(state.scores.totals[seat] ?? 0) : "";
  const spoken = [
    who.name,
    ...(turn ? [t("to move")] : []),
    ...(dealer ? [t("dealer")] : []),
    ...(role ? [role.label] : []),
    ...counts.map(({ label }) => label),
    ...(total ? [t("total {points}", { points: total })] : []),
    ...(idle ? [idle] : []),
    ...(presence ? [presence] : []),
  ].join(", ");
  return html`<div class="seat-place" data-own=${own ? "" : undefined}>
    <button
      type="button"
      class="seat"
      data-seat=${seat}
      data-turn=${turn ? "" : undefined}
      data-away=${presence ? "" : undefined}
      onClick=${() => openSeat(seat)}
    >
      <span class="visually-hidden">${spoken}</span>
      <span class="avatar" data-hue=${seat} aria-hidden="true">
        <${ClockRing} update=${update} seat=${seat} link=${link} turn=${turn} />
        <${Face} who=${who} />
        ${dealer && html`<span class="dealer-chip" title=${t("Dealer")}>${dealerLetter()}</span>`}
      </span>
      <span class="seat-text" aria-hidden="true">
        <span class="seat-name">${who.name}</span>
        ${role && html`<span class="role" data-tone=${role.tone}>${role.text}</span>`}
        <span class="seat-line">
          ${idle
            ? html`<span class="idle">${idle}</span>`
            : counts.map(({ icon, value, label }) => html`<span class="count" title=${label}><${Icon} name=${icon} />${value}</span>`)}
          ${total && html`<span class="count" title=${t("total {points}", { points: total })}><${Icon} name="scores" />${total}</span>`}
        </span>
        ${presence && html`<span class="presence"><${Presence} who=${who} /></span>`}
      </span>
    </button>
    ${bubble ? html`<${Bubble} key=${bubble.id} bubble=${bubble} />` : html`<${Said} update=${update} seat=${seat} />`}
  </div>`;
}

/** Who sits here: a bot's portrait, a person's initials. @param {{who: SeatState}} props */
export function Face({ who }) {
  if (who.face && !who.covered) {
    return html`<svg class="portrait" viewBox="0 0 96 96" aria-hidden="true"><use href=${`${BASE}cards/portraits.svg#${who.face}`} /></svg>`;
  }
  return html`<span class="initials">${who.kind === "bot" || who.covered ? html`<${Icon} name="bot" />` : initials(who.name)}</span>`;
}

/** The letter on the dealer's chip. */
function dealerLetter() {
  return t("D");
}

/** @param {SeatState} who */
export function presenceOf(who) {
  if (who.kind !== "person") return "";
  if (who.covered) return t("a bot plays");
  if (who.cover_at !== null) return t("a bot takes over soon");
  if (!who.here) return t("away");
  return "";
}

/** @param {{who: SeatState}} props */
function Presence({ who }) {
  const now = useNow(who.cover_at !== null);
  if (who.cover_at !== null && !who.covered) {
    return html`${t("bot in {seconds} s", { seconds: Math.max(0, Math.ceil((who.cover_at - now) / 1000)) })}`;
  }
  return html`${presenceOf(who)}`;
}

/** @param {{bubble: SeatBubble}} props */
function Bubble({ bubble }) {
  return html`<span class="bubble" data-tone=${bubble.tone} aria-hidden="true">${bubble.text}</span>`;
}

/** How long what somebody says stands beside the seat, in milliseconds. */
const SAID = 6000;

/** @param {{update: Update, seat: number}} props */
function Said({ update, seat }) {
  const last = heardMessages(update).findLast((message) => message.seat === seat);
  const [past, setPast] = useState(0);
  const left = last ? last.at + SAID - serverNow() : 0;
  useEffect(() => {
    if (!last || left <= 0) return undefined;
    const timer = setTimeout(() => setPast(last.seq), left);
    return () => clearTimeout(timer);
  }, [last?.seq]);
  if (!last || left <= 0 || past === last.seq) return null;
  return html`<span class="bubble" data-tone="talk" aria-hidden="true">${last.text}</span>`;
}

/**
 * What is left of the time, as a ring around the sign. Grey while the connection is stale: then nobody knows.
 * @param {{update: Update, seat: number, link: string, turn: boolean}} props
 */
function ClockRing({ update, seat, link, turn }) {
  const { clock } = update.state;
  const deadline = clock.seat === seat ? clock.deadline : null;
  const began = useRef({ deadline: /** @type {number | null} */ (null), length: 1 });
  if (deadline !== began.current.deadline) {
    began.current = { deadline, length: deadline === null ? 1 : Math.max(1, deadline - serverNow()) };
  }
  const now = useNow(deadline !== null);
  if (!turn) return null;
  const left = deadline === null ? 1 : Math.max(0, Math.min(1, (deadline - now) / began.current.length));
  const seconds = deadline === null ? null : Math.max(0, Math.ceil((deadline - now) / 1000));
  return html`<svg class="clock-ring" viewBox="0 0 48 48" data-link=${link} data-low=${left < 0.25 && deadline !== null ? "" : undefined}>
      <circle class="track" cx="24" cy="24" r="22" />
      <circle class="left" cx="24" cy="24" r="22" pathLength="100" stroke-dasharray=${`${left * 100} 100`} />
    </svg>
    ${seconds !== null && seconds <= 20 && html`<span class="clock-seconds" data-link=${link}>${seconds}</span>`}`;
}
