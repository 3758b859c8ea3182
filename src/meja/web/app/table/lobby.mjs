// @ts-check
// A table before the start: who sits where, the invitation, what is agreed.
import { useState } from "preact/hooks";
import { game, games } from "../games.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { askName, CopyButton, named } from "../me.mjs";
import { list, plural, t } from "../words.mjs";
import { Face, direction, placeOf } from "./seats.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./live.mjs").Live} Live */

/** @param {{update: Update, live: Live, openRule: (rule?: string) => void}} props */
export function Lobby({ update, live, openRule }) {
  const { state } = update;
  const seats = state.seats.length;
  const open = state.seats.filter(({ kind }) => kind === "open").length;
  const away = state.seats.filter((seat) => seat.kind === "person" && !seat.here && seat.seat !== state.me.seat).map(({ name }) => name);
  return html`<div class="lobby">
    <div class="lobby-felt felt" data-seats=${seats}>
      <div class="felt-line" aria-hidden="true" />
      <div class="lobby-word">
        <p class="lobby-title">${state.title}</p>
        <p role="status">${open ? plural(open, t("{n} free seat", { n: open }), t("{n} free seats", { n: open })) : away.length ? t("Not here yet: {names}.", { names: list(away) }) : state.can.start ? t("Everybody is here.") : t("Waiting for the host to start.")}</p>
        ${state.me.host &&
        html`<button type="button" class="button primary big" aria-describedby=${state.can.start ? undefined : "start-reason"} aria-disabled=${state.can.start ? undefined : "true"} onClick=${() => state.can.start && live.command({ do: "start" })}>
          ${t("Start")}
        </button>`}
        ${state.me.host && !state.can.start && html`<p class="start-reason" id="start-reason">${t("Free seats left: invite friends, or add bots.")}</p>`}
      </div>
      ${state.seats.map((seat) => {
        const place = placeOf(seat.seat, state.me.seat, seats);
        const at = direction(place, seats);
        return html`<div class="lobby-seat" key=${seat.seat} style=${{ "--x": at.x, "--y": at.y }}>
          <${LobbySeat} seat=${seat} update=${update} live=${live} />
        </div>`;
      })}
    </div>
    <div class="lobby-side">
      <${Invite} table=${update.table} />
      <${Agreed} update=${update} live=${live} openRule=${openRule} />
    </div>
  </div>`;
}

/** A newcomer says a name before sitting down. @param {Live} live @param {number} seat */
export async function sit(live, seat) {
  if (!named() && !(await askName({ title: t("What shall the others call you?"), button: t("Sit down") }))) return;
  await live.command({ do: "sit", seat });
}

/** @param {any} props */
function LobbySeat({ seat, update, live }) {
  const { state } = update;
  const levels = game(state.game)?.levels ?? [];
  const mine = seat.seat === state.me.seat;
  if (seat.kind === "open") {
    return html`<div class="free-seat" role="group" aria-label=${t("Seat {n}, free", { n: seat.seat + 1 })}>
      <span class="avatar empty" aria-hidden="true"><${Icon} name="plus" /></span>
      <span class="quiet">${t("free seat")}</span>
      ${state.can.sit.includes(seat.seat) &&
      html`<button type="button" class="button primary" onClick=${() => sit(live, seat.seat)}>${t("Sit here")}</button>`}
      ${state.me.host &&
      levels.map(
        (/** @type {any} */ level) => html`<button type="button" class="button small" key=${level.name} title=${level.help} onClick=${() => live.command({ do: "bot", seat: seat.seat, level: level.name })}>
          <${Icon} name="bot" />${levels.length > 1 ? t("Bot: {level}", { level: level.title }) : t("Add a bot")}
        </button>`,
      )}
    </div>`;
  }
  return html`<div class="taken-seat" role="group" aria-label=${seat.name}>
    <span class="avatar" data-hue=${seat.seat} aria-hidden="true"><${Face} who=${seat} /></span>
    <span class="taken-name">${seat.name}</span>
    <span class="quiet">${list([...(mine ? [t("you")] : []), ...(seat.host ? [t("host")] : []), ...(seat.kind === "person" && !seat.here ? [t("away")] : [])])}</span>
    ${mine && !seat.host && html`<button type="button" class="button small" onClick=${() => live.command({ do: "stand" })}>${t("Stand up")}</button>`}
    ${state.me.host && !mine && html`<button type="button" class="button small" onClick=${() => live.command({ do: "open", seat: seat.seat })}>${t("Free this seat")}</button>`}
  </div>`;
}

/** Hosts that mean the very computer that asks. */
const OWN = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/;

/** @param {{table: string}} props */
export function Invite({ table }) {
  const link = `${location.origin}/t/${table}`;
  const [code, setCode] = useState(false);
  const share = () => {
    void navigator.share({ title: "Meja", text: t("Play cards with me"), url: link }).catch(() => undefined);
  };
  return html`<section class="panel invite" aria-labelledby="invite-title">
    <h2 id="invite-title">${t("Invitation")}</h2>
    <p class="quiet">${t("Whoever has this link can sit down here.")}</p>
    <div class="row">
      <textarea readonly rows="2" value=${link} aria-label=${t("Link of this table")} onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
      <${CopyButton} text=${link} label=${t("Copy")} />
    </div>
    ${OWN.test(location.hostname) && html`<p class="warning">${t("This address works on this computer only. To invite others, start with: script/play --host 0.0.0.0")}</p>`}
    <div class="row">
      ${"share" in navigator && html`<button type="button" class="button" onClick=${share}><${Icon} name="share" />${t("Share")}</button>`}
      <button type="button" class="button" aria-expanded=${code ? "true" : "false"} onClick=${() => setCode(!code)}><${Icon} name="qr" />${t("QR code")}</button>
    </div>
    ${code && html`<img class="qr" src=${`/api/tables/${encodeURIComponent(table)}/qr.svg`} width="220" height="220" alt=${t("QR code of the link of this table")} />`}
  </section>`;
}

/** @param {{update: Update, live: Live, openRule: (rule?: string) => void}} props */
function Agreed({ update, live, openRule }) {
  const { state } = update;
  const clock = games.value?.clocks.find(({ name }) => name === state.clock.mode);
  return html`<section class="panel agreed" aria-labelledby="agreed-title">
    <h2 id="agreed-title">${t("Agreed")}</h2>
    ${state.changed.length ? html`<ul>${state.changed.map((text) => html`<li key=${text}>${text}</li>`)}</ul>` : html`<p>${t("Standard rules.")}</p>`}
    ${state.warnings.map((text) => html`<p key=${text} class="warning">${text}</p>`)}
    ${clock && html`<p>${t("Clock: {clock}", { clock: clock.title })}</p>`}
    <p><button type="button" class="link-button" onClick=${() => openRule()}>${t("Read the rules of this table")}</button></p>
    <${HostSettings} update=${update} live=${live} />
  </section>`;
}

/** What the host may change at any time; the others see it. @param {{update: Update, live: Live}} props */
export function HostSettings({ update, live }) {
  const { state } = update;
  const items = /** @type {const} */ ([
    ["watch", t("Others may watch")],
    ["listed", t("Listed among the open tables")],
    ["chat", t("Free chat")],
  ]);
  if (!state.me.host) {
    return html`<section class="host-settings">
      <h3>${t("Chosen by the host")}</h3>
      <ul>
        ${items.map(([name, text]) => html`<li key=${name}>${text}: ${state.settings[name] ? t("yes") : t("no")}</li>`)}
      </ul>
    </section>`;
  }
  return html`<fieldset class="host-settings">
    <legend>${t("You are the host")}</legend>
    ${items.map(
      ([name, text]) => html`<label key=${name} class="switch">
        <span>${text}</span>
        <input type="checkbox" checked=${state.settings[name]} onChange=${(/** @type {any} */ event) => live.command({ do: "settings", [name]: event.currentTarget.checked })} />
      </label>`,
    )}
  </fieldset>`;
}
