// @ts-check
// The log, the chat and what can be done about the people at the table.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../dialog.mjs";
import { game, games } from "../games.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { list, t } from "../words.mjs";
import { heardMessages, isMuted, toggleMuted } from "./mute.mjs";
import { presenceOf } from "./seats.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./live.mjs").Live} Live */

/**
 * The log and the chat, one below the other.
 * @param {{update: Update, live: Live}} props
 */
export function Side({ update, live }) {
  return html`<div class="side-body">
    <${Log} lines=${live.lines.value} />
    <${Chat} update=${update} live=${live} />
  </div>`;
}

/** @param {{lines: {seq: number, text: string}[]}} props */
function Log({ lines }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  useLayoutEffect(() => {
    // In a window that is only about to open there is nothing to scroll yet.
    const observer = new ResizeObserver(() => {
      if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return html`<section class="log" aria-labelledby="log-title">
    <h2 id="log-title">${t("What happened")}</h2>
    <div
      class="log-lines"
      ref=${box}
      tabindex="0"
      role="group"
      aria-labelledby="log-title"
      onScroll=${() => {
        const at = box.current;
        if (at) atEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < 40;
      }}
    >
      ${lines.map(({ text }, index) => html`<p key=${index}>${text}</p>`)}
    </div>
  </section>`;
}

/** @param {{update: Update, live: Live}} props */
function Chat({ update, live }) {
  const { state } = update;
  const [text, setText] = useState("");
  const [sending, setSending] = useState(false);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const messages = heardMessages(update);
  const people = state.seats.filter((seat) => seat.kind === "person");
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [messages.length]);
  // With bots alone there is nobody to talk to.
  if (people.length < 2 && !messages.length) return null;
  const seated = state.me.seat !== null;

  /** @param {Event} event */
  const send = async (event) => {
    event.preventDefault();
    const words = text.trim();
    if (!words || sending) return;
    setSending(true);
    const { ok } = await live.command({ do: "chat", text: words });
    setSending(false);
    if (ok) setText("");
  };
  return html`<section class="chat" aria-labelledby="chat-title">
    <h2 id="chat-title">${t("Talk")}</h2>
    <div class="messages" ref=${box} tabindex="0" role="group" aria-labelledby="chat-title">
      ${messages.map((message) => html`<p key=${message.seq} data-mine=${message.seat === state.me.seat ? "" : undefined}><b>${message.name}</b> <span>${message.text}</span></p>`)}
    </div>
    ${seated &&
    html`<div class="phrases" role="group" aria-label=${t("Quick phrases")}>
      ${(games.value?.phrases ?? []).map(
        ({ name, text: words }) => html`<button type="button" key=${name} onClick=${() => live.command({ do: "phrase", phrase: name })}>${words}</button>`,
      )}
    </div>`}
    ${seated &&
    state.settings.chat &&
    html`<form class="chat-form" onSubmit=${send}>
      <label class="visually-hidden" for="chat-text">${t("Your message")}</label>
      <input id="chat-text" maxlength="200" autocomplete="off" placeholder=${t("Say something …")} value=${text} onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} />
      <button type="submit" class="icon-button" aria-label=${t("Send")} disabled=${sending || !text.trim()}><${Icon} name="send" /></button>
    </form>`}
  </section>`;
}

/**
 * What can be done about a seat.
 * @param {{seat: number, update: Update, live: Live, onClose: () => void}} props
 */
export function SeatDialog({ seat, update, live, onClose }) {
  const { state, table } = update;
  const who = state.seats[seat];
  /** @param {Record<string, unknown>} command */
  const run = (command) => {
    void live.command(command);
    onClose();
  };
  const level = game(state.game)?.levels.find(({ name }) => name === who.level);
  const mine = who.seat === state.me.seat;
  return html`<${Dialog} onClose=${onClose} title=${who.name} class="seat-dialog">
    <p class="quiet">
        ${list([
          who.kind === "bot" ? t("Bot") : t("Person"),
          ...(level ? [level.title] : []),
          ...(who.host ? [t("host")] : []),
          ...(presenceOf(who) ? [presenceOf(who)] : []),
        ])}
      </p>
      ${level && html`<p>${level.help}</p>`}
      <div class="seat-actions">
        ${state.can.cover.includes(who.seat) &&
        html`<button type="button" class="button" onClick=${() => run({ do: "cover", seat: who.seat })}>${t("Let a bot play for {name}", { name: who.name })}</button>`}
        ${state.me.host && who.kind === "person" && !mine &&
        html`<button type="button" class="button" onClick=${() => run({ do: "host", seat: who.seat })}>${t("Make {name} the host", { name: who.name })}</button>`}
        ${who.kind === "person" && !mine &&
        html`<button type="button" class="button" aria-pressed=${isMuted(table, who) ? "true" : "false"} onClick=${() => toggleMuted(table, who)}>
          ${isMuted(table, who) ? t("Show what {name} says", { name: who.name }) : t("Hide what {name} says", { name: who.name })}
        </button>`}
        ${mine && state.can.retake && html`<button type="button" class="button primary" onClick=${() => run({ do: "retake" })}>${t("Take your seat back")}</button>`}
      </div>
  <//>`;
}
