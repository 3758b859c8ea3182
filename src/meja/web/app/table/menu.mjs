// @ts-check
// The menu of the table: what can be done, how it is played in this browser, and help.
import { useEffect, useState } from "preact/hooks";
import { confirm, Dialog } from "../dialog.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { CopyButton, server } from "../me.mjs";
import { get } from "../net.mjs";
import { go } from "../router.mjs";
import { settings } from "../settings.mjs";
import { lang, setLang, t } from "../words.mjs";
import { HostSettings, Invite } from "./lobby.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./live.mjs").Live} Live */

/**
 * @param {object} props
 * @param {Update} props.update
 * @param {Live} props.live
 * @param {(rule?: string) => void} props.openRule
 * @param {() => void} props.openKeys
 * @param {() => void} props.openReport
 * @param {() => void} props.onClose
 */
export function Menu({ update, live, openRule, openKeys, openReport, onClose }) {
  const { state } = update;
  const seated = state.me.seat !== null;
  /** @param {() => void} then */
  const then = (then) => () => {
    onClose();
    then();
  };
  const leave = async () => {
    const sure = await confirm({
      title: t("Leave the table?"),
      text: t("A bot plays on for you. You can come back and take your seat at any time."),
      yes: t("Leave"),
    });
    if (sure && (await live.command({ do: "leave" })).ok) go("/");
  };
  const close = async () => {
    const sure = await confirm({
      title: t("End the match for everybody?"),
      text: t("It cannot be taken up again."),
      yes: t("End the match"),
      danger: true,
    });
    if (sure) await live.command({ do: "close" });
  };
  return html`<${Dialog} title=${t("Menu")} onClose=${onClose} class="menu-dialog">
    <div class="menu-actions">
      ${state.can.undo && html`<button type="button" onClick=${then(() => live.command({ do: "undo" }))}><${Icon} name="undo" />${t("Take back")}</button>`}
      ${state.can.claim && html`<button type="button" onClick=${then(() => live.command({ do: "claim" }))}><${Icon} name="check" />${t("Take the remaining tricks")}</button>`}
      <button type="button" onClick=${then(() => openRule())}><${Icon} name="book" />${t("Rules of this table")}</button>
      <button type="button" onClick=${then(openKeys)}><${Icon} name="keyboard" />${t("Keys")}</button>
      <button type="button" onClick=${then(openReport)}><${Icon} name="flag" />${t("Report a problem")}</button>
      ${seated && state.can.leave && html`<button type="button" onClick=${then(leave)}><${Icon} name="leave" />${t("Leave the table")}</button>`}
      ${state.me.host && ["playing", "between"].includes(state.status) && html`<button type="button" onClick=${then(close)}><${Icon} name="close" />${t("End the match for everybody")}</button>`}
    </div>
    <${PlaySettings} />
    ${state.status !== "open" && html`<details class="menu-more">
      <summary>${t("Invitation and table")}</summary>
      <${Invite} table=${update.table} />
      <${HostSettings} update=${update} live=${live} />
    </details>`}
  <//>`;
}

/** How this browser plays. */
function PlaySettings() {
  const notify = async (/** @type {boolean} */ wanted) => {
    if (wanted && typeof Notification !== "undefined" && Notification.permission === "default") await Notification.requestPermission();
    settings.notify.value = wanted && typeof Notification !== "undefined" && Notification.permission === "granted";
  };
  return html`<div class="play-settings">
    <${Choice} label=${t("Speed")} setting=${settings.speed} items=${[
      ["slow", t("slow")],
      ["normal", t("normal")],
      ["fast", t("fast")],
      ["off", t("no animation")],
    ]} />
    <${Choice} label=${t("A finished trick stays")} setting=${settings.trickWait} items=${[
      ["time", t("for a moment")],
      ["tap", t("until I tap")],
    ]} />
    <${Choice} label=${t("Deck")} setting=${settings.deck} items=${[
      ["french", t("French")],
      ["four-colour", t("four colours")],
    ]} />
    <${Choice} label=${t("Theme")} setting=${settings.theme} items=${[
      ["auto", t("as the device")],
      ["light", t("light")],
      ["dark", t("dark")],
    ]} />
    <fieldset>
      <legend>${t("Language")}</legend>
      <div class="segments">
        ${/** @type {const} */ ([["id", "Bahasa Indonesia"], ["en", "English"]]).map(
          ([code, text]) => html`<label key=${code} lang=${code}><input type="radio" name="language" checked=${lang.value === code} onChange=${() => setLang(code)} />${text}</label>`,
        )}
      </div>
    </fieldset>
    <${Switch} label=${t("Play with one tap")} setting=${settings.oneTap} />
    <${Switch} label=${t("Cards that are the only choice play themselves")} setting=${settings.forced} />
    <${Switch} label=${t("Large cards")} setting=${settings.largeCards} />
    <${Switch} label=${t("Sounds")} setting=${settings.sound} />
    ${typeof Notification !== "undefined" && html`<${Switch} label=${t("Tell me when it is my turn and the page is hidden")} setting=${settings.notify} change=${notify} />`}
  </div>`;
}

/** @param {{label: string, setting: import("@preact/signals").Signal<any>, items: [string, string][]}} props */
function Choice({ label, setting, items }) {
  return html`<fieldset>
    <legend>${label}</legend>
    <div class="segments">
      ${items.map(
        ([value, text]) => html`<label key=${value}><input type="radio" name=${label} checked=${setting.value === value} onChange=${() => (setting.value = value)} />${text}</label>`,
      )}
    </div>
  </fieldset>`;
}

/** @param {{label: string, setting: import("@preact/signals").Signal<boolean>, change?: (wanted: boolean) => void}} props */
function Switch({ label, setting, change = (wanted) => (setting.value = wanted) }) {
  return html`<label class="switch"><span>${label}</span><input type="checkbox" checked=${setting.value} onChange=${(/** @type {any} */ event) => change(event.currentTarget.checked)} /></label>`;
}

/** The keys that work at the table. @param {{game: string, more?: () => [string, string][], onClose: () => void}} props */
export function Keys({ game, more, onClose }) {
  const rows = [
    ["H", t("my hand")],
    ["T", game === "kaluki" ? t("the melds on the table") : t("the trick on the table")],
    ["L", game === "kaluki" ? t("the discard pile") : t("the last trick")],
    ["R", game === "kaluki" ? t("what opening needs") : t("contract and trump")],
    ["S", t("the scores")],
    ["W", t("whose turn it is")],
    ["?", t("these keys")],
  ];
  const moves = more?.() ?? [
    ["← →", t("from card to card")],
    ["↑ ↓", t("from suit to suit")],
    ["Enter", t("play the card")],
    ["Tab", t("from choice to choice, where you are to bid or call; Enter takes it")],
    [t("Space"), t("lift a card, then play it")],
    ["A K Q J 2–9 0", t("to the next card of that rank (0 is the ten)")],
    [t("Shift and S H D C"), t("to the next card of that suit")],
    ["Esc", t("put the card down again")],
  ];
  return html`<${Dialog} title=${t("Keys")} onClose=${onClose} class="keys-dialog">
    <h3>${t("Questions: the answer is read out")}</h3>
    <dl class="keys">${rows.map(([key, text]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${text}</dd></div>`)}</dl>
    <h3>${t("In the hand")}</h3>
    <dl class="keys">${moves.map(([key, text]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${text}</dd></div>`)}</dl>
  <//>`;
}

/** Everything that somebody needs who looks for the fault. @param {{update: Update, live: Live, onClose: () => void}} props */
export function Report({ update, live, onClose }) {
  const [record, setRecord] = useState(/** @type {string | null} */ (null));
  const { can } = update.state;
  useEffect(() => {
    if (!can.record) return;
    get(`/api/tables/${encodeURIComponent(update.table)}/record`).then(
      (found) => setRecord(JSON.stringify(found)),
      (error) => setRecord(`${error.code}: ${error.text}`),
    );
  }, [can.record, update.table]);
  const text = reportText(update, live, record);
  return html`<${Dialog} title=${t("Report a problem")} onClose=${onClose} class="report-dialog">
    <p>${t("Copy this, say in a few words what went wrong, and send both to whoever runs this table or to the project.")}</p>
    ${can.record && record === null && html`<p class="quiet">${t("Loading …")}</p>`}
    <textarea readonly rows="10" aria-label=${t("The report")} value=${text} onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
    <div class="actions"><${CopyButton} text=${text} label=${t("Copy")} /></div>
    ${!can.record && html`<p class="quiet">${t("The record itself, with all cards, is there when the match is over.")}</p>`}
  <//>`;
}

/** @param {Update} update @param {Live} live @param {string | null} record */
function reportText(update, live, record) {
  const { state, view } = update;
  const me = server.value;
  const facts = {
    meja: me?.version ?? "?",
    build: update.build,
    page: document.documentElement.dataset.build ?? "?",
    protocol: update.protocol,
    kernels: me?.kernels ?? "?",
    table: update.table,
    head: update.head,
    status: state.status,
    game: state.game,
    rules: state.rules,
    seat: state.me.seat,
    deal: state.deal,
    phase: view?.phase ?? null,
    to_act: view?.to_act ?? null,
    link: live.link.value,
    language: document.documentElement.lang,
    window: `${window.innerWidth}x${window.innerHeight}`,
    browser: navigator.userAgent,
    last_steps: [...new Set(live.lines.value.slice(-12).map(({ seq }) => seq))],
  };
  return `${JSON.stringify(facts, null, 1)}${record ? `\n${record}` : ""}`;
}
