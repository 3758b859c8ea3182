// @ts-check
// A table: what is at every table, around the surface of its game.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../dialog.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { person } from "../me.mjs";
import { serverNow } from "../net.mjs";
import { go, Link } from "../router.mjs";
import { spoken, t } from "../words.mjs";
import { createAlert } from "./alert.mjs";
import { BookDialog } from "./book.mjs";
import { newSeed, remember } from "./fair.mjs";
import { createLive } from "./live.mjs";
import { Lobby } from "./lobby.mjs";
import { Keys, Menu, Report } from "./menu.mjs";
import { heardMessages } from "./mute.mjs";
import { SeatDialog, Side } from "./people.mjs";
import { Pause, RuleLink, Scores } from "./sheet.mjs";
import { play, unlockSound } from "./sound.mjs";
import { Speech } from "./speech.mjs";
import * as tell from "./tell.mjs";
import { TrickTable } from "./tricktable.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./surface.d.ts").SurfaceModule} SurfaceModule */
/** @typedef {import("./live.mjs").Live} Live */
/** @typedef {"menu" | "scores" | "side" | "keys" | "report" | null} Window */

/** From this width on the log and the talk stand beside the table. */
const WIDE = window.matchMedia("(min-width: 1100px) and (min-height: 560px)");

/** So long after an own action the sound of the next turn is left out, in milliseconds. */
const BUSY = 3000;

/** So long it is told why something was refused, in milliseconds. */
const REFUSED = 8000;

/** @type {SurfaceModule} */
const TRICKS = { surface: TrickTable, queries: tell.queries };

/** @param {{id: string}} props */
export default function TablePage({ id }) {
  return html`<${Room} key=${id} id=${id} />`;
}

/** @param {{id: string}} props */
function Room({ id }) {
  const live = useOnce(() => createLive(id));
  const busy = useOnce(() => signal(false));
  useEffect(() => {
    void live.start();
    const lock = unlockSound();
    return () => {
      lock();
      live.close();
    };
  }, []);
  // Who sits at this browser, and the language, may change: what is told changes with them.
  const reader = `${person.value?.id ?? ""} ${spoken.value}`;
  const before = useRef(reader);
  useEffect(() => {
    if (before.current !== reader && live.update.value) live.renew();
    before.current = reader;
  }, [reader]);

  if (live.gone.value) return html`<${Gone} error=${live.gone.value} />`;
  const update = live.update.value;
  if (!update) {
    return html`<main class="table-page loading"><p class="quiet" role="status">${live.link.value === "offline" ? t("The server does not answer. Trying again …") : t("Loading …")}</p></main>`;
  }
  return html`<${Table} live=${live} update=${update} busy=${busy} />`;
}

/** @param {{error: import("../net.mjs").ApiError}} props */
function Gone({ error }) {
  return html`<main class="page table-gone">
    <h1>${t("This table cannot be opened")}</h1>
    <p>${error.text}</p>
    <p><${Link} class="button primary" href="/">${t("Home")}<//></p>
  </main>`;
}

/** @param {{live: Live, update: Update, busy: import("@preact/signals").Signal<boolean>}} props */
function Table({ live, update, busy }) {
  const { state, view } = update;
  const [open, setOpen] = useState(/** @type {Window} */ (null));
  const [rule, setRule] = useState(/** @type {string | null} */ (null));
  const [seat, setSeat] = useState(/** @type {number | null} */ (null));
  const [waiting, setWaiting] = useState(false);
  const voice = useRef(/** @type {import("./speech.mjs").Voice | null} */ (null));
  const module = useSurface(state.game);
  const wide = useMedia(WIDE);
  const names = state.seats.map((other) => other.name || t("free seat"));
  const me = state.me.seat;
  const turn = state.status === "playing" && view !== null && me !== null && view.to_act === me && !state.seats[me].covered;
  const over = state.status === "finished" || state.status === "closed";

  useReadiness(live, update);
  useTurn(live, update, turn, voice);
  useSounds(live);
  useRematch(live, state.rematch);
  const answer = (/** @type {string} */ key) => answerTo(key, update, names, module);
  useQueries(answer, voice, () => setOpen("keys"));

  const openRule = (/** @type {string} */ wanted = "") => setRule(wanted);
  const run = async (/** @type {Record<string, unknown>} */ command) => {
    if (waiting) return;
    setWaiting(true);
    await live.command(command);
    setWaiting(false);
  };
  const close = () => setOpen(null);
  const surface = state.status === "open" ? null : module;
  const paused = !busy.value && (over || (state.status === "between" && state.deal > 0));

  return html`<div class="table-page" data-status=${state.status} data-game=${state.game} data-head=${update.head} data-wide=${wide ? "" : undefined}>
    <${Bar} update=${update} live=${live} wide=${wide} open=${setOpen} undo=${() => run({ do: "undo" })} />
    <main class="table-main" aria-label=${t("Table")}>
      <h1 class="visually-hidden">${state.title}</h1>
      <${Notices} update=${update} live=${live} openRule=${openRule} run=${run} />
      ${state.status === "open" && html`<${Lobby} update=${update} live=${live} openRule=${openRule} />`}
      ${surface &&
      view &&
      html`<${surface.surface}
        update=${update}
        view=${view}
        act=${live.act}
        undo=${live.undo}
        sending=${live.sending.value}
        waiting=${live.unsent.value !== null}
        refusal=${live.refusal.value}
        names=${names}
        listen=${live.listen}
        busy=${busy}
        now=${serverNow}
        link=${live.link.value}
        openSeat=${setSeat}
        announce=${(/** @type {string} */ text) => voice.current?.answer(text)}
        openRule=${openRule}
      />`}
      ${state.status === "between" && state.deal === 0 && html`<p class="first-deal quiet" role="status">${t("The cards are being shuffled …")}</p>`}
      ${state.me.seat === null && state.status !== "open" && html`<p class="watching"><${Icon} name="eye" />${t("You are watching.")}</p>`}
      ${paused &&
      html`<${Pause}
        update=${update}
        names=${names}
        openRule=${openRule}
        onNext=${() => sendReady(live, update, setWaiting)}
        onRematch=${() => run({ do: "rematch" })}
        onReport=${() => setOpen("report")}
        waiting=${waiting}
      />`}
    </main>
    ${wide && html`<aside class="table-side" aria-label=${t("Log and talk")}><${Side} update=${update} live=${live} /></aside>`}
    <${Words} update=${update} names=${names} answer=${answer} />
    <${Speech} voice=${voice} />
    ${open === "menu" && html`<${Menu} update=${update} live=${live} openRule=${openRule} openKeys=${() => setOpen("keys")} openReport=${() => setOpen("report")} onClose=${close} />`}
    ${open === "scores" && html`<${Dialog} title=${t("Scores")} onClose=${close} class="scores-dialog"><${Scores} state=${state} names=${names} openRule=${openRule} /><//>`}
    ${open === "side" && html`<${Dialog} title=${t("Log and talk")} onClose=${close} class="side-dialog"><${Side} update=${update} live=${live} /><//>`}
    ${open === "keys" && html`<${Keys} game=${state.game} more=${module?.keys} onClose=${close} />`}
    ${open === "report" && html`<${Report} update=${update} live=${live} onClose=${close} />`}
    ${seat !== null && state.seats[seat] && html`<${SeatDialog} seat=${seat} update=${update} live=${live} onClose=${() => setSeat(null)} />`}
    ${rule !== null && html`<${BookDialog} table=${update.table} rule=${rule} title=${t("Rules of this table")} onClose=${() => setRule(null)} />`}
  </div>`;
}

/** @param {{update: Update, live: Live, wide: boolean, open: (window: Window) => void, undo: () => void}} props */
function Bar({ update, live, wide, open, undo }) {
  const { state } = update;
  const heard = heardMessages(update);
  const newest = heard.length ? heard[heard.length - 1].seq : 0;
  const [seen, setSeen] = useState(newest);
  const unread = wide ? 0 : heard.filter((message) => message.seq > seen && message.seat !== state.me.seat).length;
  return html`<header class="table-bar">
    <${Link} class="icon-button" href="/" aria-label=${t("Home")}><${Icon} name="home" /><//>
    <p class="bar-title">
      <b>${state.title}</b>
      ${state.deal > 0 && html`<span>${state.length ? t("Deal {n} of {of}", { n: Math.min(state.counted + (state.status === "playing" ? 1 : 0), state.length), of: state.length }) : t("Deal {n}", { n: state.deal })}</span>`}
    </p>
    <${LinkMark} link=${live.link.value} />
    ${state.can.undo && html`<button type="button" class="icon-button" aria-label=${t("Take back")} title=${t("Take back")} onClick=${undo}><${Icon} name="undo" /></button>`}
    ${state.status !== "open" && html`<button type="button" class="icon-button" aria-label=${t("Scores")} title=${t("Scores")} onClick=${() => open("scores")}><${Icon} name="scores" /></button>`}
    ${!wide &&
    html`<button
      type="button"
      class="icon-button"
      aria-label=${unread ? t("Log and talk, {n} new", { n: unread }) : t("Log and talk")}
      title=${t("Log and talk")}
      onClick=${() => {
        setSeen(newest);
        open("side");
      }}
    >
      <${Icon} name="chat" />${unread > 0 && html`<span class="unread" aria-hidden="true">${unread}</span>`}
    </button>`}
    <button type="button" class="icon-button" aria-label=${t("Menu")} title=${t("Menu")} onClick=${() => open("menu")}><${Icon} name="menu" /></button>
  </header>`;
}

/** How fresh what is seen is; nothing while all is well. @param {{link: string}} props */
function LinkMark({ link }) {
  if (link === "live") return null;
  const text = link === "offline" ? t("No connection. Trying again …") : t("The connection is slow");
  return html`<span class="link-mark" data-link=${link} role="status"><${Icon} name="wifi-off" /><span class="link-text">${text}</span></span>`;
}

/**
 * What a person must know now: why something was refused, what did not arrive, what is offered.
 * @param {{update: Update, live: Live, openRule: (rule?: string) => void, run: (command: Record<string, unknown>) => void}} props
 */
function Notices({ update, live, openRule, run }) {
  const { state } = update;
  const refusal = live.refusal.value;
  const unsent = live.unsent.value;
  const late = live.late.value > 0;
  const [declined, setDeclined] = useState(0);
  const claims = state.can.claim && declined !== state.deal;
  const mine = state.me.seat === null ? null : state.seats[state.me.seat];
  const faults = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => {
    if (!refusal) return undefined;
    const timer = setTimeout(() => (live.refusal.value = null), REFUSED);
    return () => clearTimeout(timer);
  }, [refusal]);
  useAboveHand(faults);
  return html`<div class="notices faults" ref=${faults}>
    ${refusal &&
    html`<div class="notice refusal">
      <p>${refusal.text} ${refusal.rule && html`<${RuleLink} state=${state} rule=${refusal.rule} openRule=${openRule} />`}</p>
      <button type="button" class="icon-button" aria-label=${t("Close")} onClick=${() => (live.refusal.value = null)}><${Icon} name="close" /></button>
    </div>`}
    ${late && html`<div class="notice late"><p>${lateWords(live.link.value)}</p></div>`}
    ${unsent &&
    html`<div class="notice unsent">
      <p>${unsentWords(unsent)}</p>
      <button type="button" class="button small" onClick=${live.retry}>${t("Try again")}</button>
      <button type="button" class="icon-button" aria-label=${unsent.again ? t("Do not send") : t("Close")} title=${unsent.again ? t("Do not send") : t("Close")} onClick=${() => (live.unsent.value = null)}><${Icon} name="close" /></button>
    </div>`}
  </div>
  <div class="notices">
    ${mine?.covered &&
    state.can.retake &&
    html`<div class="notice offer">
      <p>${t("A bot plays for you.")}</p>
      <button type="button" class="button small primary" onClick=${() => run({ do: "retake" })}>${t("Take your seat back")}</button>
    </div>`}
    ${mine && !mine.covered && mine.cover_at !== null && html`<div class="notice offer"><p>${t("The others wait for you: a bot will take over soon.")}</p></div>`}
    ${state.can.cover
      .filter((seat) => state.seats[seat].cover_at === null)
      .map(
        (seat) => html`<div class="notice offer" key=${`cover${seat}`}>
          <p>${t("{name} is away.", { name: state.seats[seat].name })}</p>
          <button type="button" class="button small" onClick=${() => run({ do: "cover", seat })}>${t("Let a bot play")}</button>
        </div>`,
      )}
    ${claims &&
    html`<div class="notice offer">
      <p>${t("All remaining tricks are yours.")}</p>
      <button type="button" class="button small primary" onClick=${() => run({ do: "claim" })}>${t("Take them")}</button>
      <button type="button" class="icon-button" aria-label=${t("Play on")} title=${t("Play on")} onClick=${() => setDeclined(state.deal)}><${Icon} name="close" /></button>
    </div>`}
  </div>`;
}

/** @param {string} link */
function lateWords(link) {
  return link === "live" ? t("No answer yet. Still trying …") : t("The connection is lost. Still trying …");
}

/** @param {import("./live.mjs").Unsent} unsent */
function unsentWords(unsent) {
  if (!unsent.again) return `${t("Not sent.")} ${unsent.text ?? ""}`;
  return `${t("Not sent.")} ${t("The server does not answer. Trying again; it counts once.")}`;
}

/** Keeps what stands over the table above the own hand and its buttons. @param {{current: HTMLElement | null}} box */
function useAboveHand(box) {
  useLayoutEffect(() => {
    const place = () => {
      const main = box.current?.closest(".table-main");
      const desk = [".own-row", ".trick-table .hand", ".kaluki-desk"]
        .map((selector) => main?.querySelector(selector)?.getBoundingClientRect())
        .find((rect) => rect?.height);
      const above = main && desk ? `${main.getBoundingClientRect().bottom - desk.top + 6}px` : "";
      if (above) box.current?.style.setProperty("--above-hand", above);
      else box.current?.style.removeProperty("--above-hand");
    };
    place();
    window.addEventListener("resize", place);
    return () => window.removeEventListener("resize", place);
  });
}

/** The table in words, for those who read it: the same answers that the letters give. @param {any} props */
function Words({ update, names, answer }) {
  const { state, view } = update;
  if (!view || state.status === "open") return null;
  return html`<section class="visually-hidden" aria-labelledby="in-words">
    <h2 id="in-words">${t("The table in words")}</h2>
    ${[..."wrthls"].map((key) => html`<p key=${key} data-answer=${key}>${answer(key)}</p>`)}
    <p>${state.seats.map((/** @type {any} */ seat) => names[seat.seat]).join(", ")}</p>
  </section>`;
}

/** @param {string} key @param {Update} update @param {string[]} names @param {SurfaceModule | null} module @returns {string} */
function answerTo(key, update, names, module) {
  const { state, view } = update;
  const told = /** @type {Record<string, string | undefined>} */ (module?.queries(update, names) ?? {});
  if (told[key]) return told[key] ?? "";
  switch (key) {
    case "s":
      return `${t("Totals")}: ${names.map((name, seat) => t("{name} {n}", { name, n: state.scores.totals[seat] })).join(", ")}.`;
    case "w":
      return view?.prompt || t("The match has not begun.");
    default:
      return t("There is nothing to tell.");
  }
}

/** Letters are questions, wherever the focus is but in a field or a window. @param {(key: string) => string} answer @param {{current: import("./speech.mjs").Voice | null}} voice @param {() => void} help */
function useQueries(answer, voice, help) {
  const act = useRef((/** @type {KeyboardEvent} */ _event) => {});
  act.current = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (/** @type {Element} */ (event.target).closest?.("input, textarea, select, dialog")) return;
    if (event.key === "?") {
      event.preventDefault();
      help();
    } else if (!event.shiftKey && event.key.length === 1 && "htlswr".includes(event.key.toLowerCase())) {
      event.preventDefault();
      voice.current?.answer(answer(event.key.toLowerCase()));
    }
  };
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => act.current(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

/** @param {string} game @returns {SurfaceModule | null} */
function useSurface(game) {
  const [kaluki, setKaluki] = useState(/** @type {SurfaceModule | null} */ (null));
  useEffect(() => {
    if (game !== "kaluki") return;
    void import("../kaluki/table.mjs").then(({ KalukiTable, queries, keys }) => setKaluki({ surface: KalukiTable, queries, keys }));
  }, [game]);
  return game === "kaluki" ? kaluki : TRICKS;
}

/** The first deal of a match waits for nobody's button. @param {Live} live @param {Update} update */
function useReadiness(live, update) {
  const { state } = update;
  const sent = useRef(false);
  useEffect(() => {
    if (state.commit && state.status === "playing") remember(update.table, state.deal, { commit: state.commit });
    if (!state.can.ready || state.deal !== 0 || sent.current) return;
    sent.current = true;
    void sendReady(live, update, () => undefined).then((ok) => (sent.current = ok));
  }, [state.can.ready, state.deal, state.commit, state.status]);
}

/** Ready, with this browser's part of the next shuffle. @param {Live} live @param {Update} update @param {(busy: boolean) => void} waiting */
async function sendReady(live, { state, table }, waiting) {
  const seed = newSeed();
  const deal = state.deal + 1;
  // The server has promised its own part before it hears this one.
  if (state.commit && state.commit !== state.revealed?.commit) remember(table, deal, { commit: state.commit });
  waiting(true);
  const { ok } = await live.command({ do: "ready", seed });
  waiting(false);
  if (ok) remember(table, deal, { seed });
  return ok;
}

/** @param {Live} live @param {Update} update @param {boolean} turn @param {{current: import("./speech.mjs").Voice | null}} voice */
function useTurn(live, update, turn, voice) {
  const alert = useRef(/** @type {ReturnType<typeof createAlert> | null} */ (null));
  const title = update.state.title;
  // One call for every decision that comes after others have done something; laying four cards away is one.
  const tricks = update.view?.tricks_won?.reduce((sum, won) => sum + won, 0) ?? 0;
  const decision = turn ? `${update.state.deal}/${update.view?.phase}/${tricks}` : "";
  useEffect(() => {
    alert.current = createAlert(live.id);
    return () => alert.current?.close();
  }, []);
  useEffect(() => {
    alert.current?.show(turn, title);
    if (!turn) return;
    const prompt = live.update.value?.view?.prompt ?? "";
    // Whoever has just played looks at the table anyway.
    if (document.hidden || Date.now() - live.lastAct() > BUSY) play("turn");
    voice.current?.turn(prompt);
    alert.current?.call(title, prompt);
  }, [decision, title]);
  useEffect(
    () =>
      live.listen((_update, steps) => {
        const lines = steps.flatMap((step) => step.lines ?? []);
        if (lines.length) voice.current?.log(lines.join(" "));
      }),
    [],
  );
  const refused = live.refusal.value;
  useEffect(() => {
    if (!refused) return;
    play("refuse");
    voice.current?.answer(refused.text);
  }, [refused]);
  const unsent = live.unsent.value;
  useEffect(() => {
    if (unsent) voice.current?.answer(unsentWords(unsent));
  }, [unsent]);
  const late = live.late.value > 0;
  useEffect(() => {
    if (late) voice.current?.answer(lateWords(live.link.value));
  }, [late]);
}

/** @param {Live} live */
function useSounds(live) {
  useEffect(
    () =>
      live.listen((update, _steps, before) => {
        if (!before || before.state.status === update.state.status) return;
        if (update.state.status === "between" && before.state.status === "playing") play("score");
        if (update.state.status === "finished") play(update.state.scores.winners?.includes(update.state.me.seat ?? -1) ? "win" : "score");
      }),
    [],
  );
}

/** Who asked for another match goes there when it is made. @param {Live} live @param {string | null} rematch */
function useRematch(live, rematch) {
  const first = useRef(rematch);
  useEffect(() => {
    if (!rematch || rematch === first.current) return;
    if (live.asked.has("rematch")) go(`/t/${rematch}`);
  }, [rematch]);
}

/** @param {MediaQueryList} media */
function useMedia(media) {
  const [matches, setMatches] = useState(media.matches);
  useEffect(() => {
    const change = () => setMatches(media.matches);
    change();
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, [media]);
  return matches;
}

/** @template T @param {() => T} make @returns {T} */
function useOnce(make) {
  const made = useRef(/** @type {T | null} */ (null));
  made.current ??= make();
  return made.current;
}
