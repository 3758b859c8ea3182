// @ts-check
// A new table: who sits where, by which rules, and who may come.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Art } from "../art.mjs";
import { Segments, Switch } from "../fields.mjs";
import { game as gameOf, games, gamesError, loadGames } from "../games.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { Failure } from "../load.mjs";
import { Page } from "../page.mjs";
import { ApiError, post } from "../request.mjs";
import { place, setSearch } from "../router.mjs";
import { keep, recall } from "../settings.mjs";
import { createTable, nameForFriends } from "../start.mjs";
import { plural, spoken, t } from "../words.mjs";
import { HouseRules } from "./houserules.mjs";
import { NotFound } from "./notfound.mjs";

/** @typedef {import("../../types.d.ts").GameInfo} GameInfo */
/** @typedef {import("../../types.d.ts").Value} Value */
/** @typedef {{ seats: number, preset: string, options: Record<string, Value> }} RuleChoice */
/** A seat as the form has it: "me", "open", or "bot:<level>". @typedef {string} Place */
/** @typedef {{ places: Place[], clock: string, watch: boolean, listed: boolean, chat: boolean, talk: boolean }} TableChoice */

/** @param {{ game: string }} props */
export default function NewTablePage({ game }) {
  const info = gameOf(game);
  if (!games.value) {
    return html`<${Page} title=${t("New table")}>
      ${gamesError.value && html`<${Failure} error=${gamesError.value} again=${loadGames} />`}
    <//>`;
  }
  return info ? html`<${Form} key=${game} info=${info} />` : html`<${NotFound} />`;
}

/** Options without which a game has no rules for so many players.
 * @type {Record<string, Record<number, Record<string, Value>>>} */
const NEEDED = { calabresella: { 4: { dealer_sits_out: true } } };

/** The same choice for another number of players.
 * @param {GameInfo} info
 * @param {RuleChoice} rules
 * @param {number} seats
 * @returns {RuleChoice} */
function withSeats(info, rules, seats) {
  const needs = NEEDED[info.name] ?? {};
  const dropped = Object.keys(needs[rules.seats] ?? {});
  const options = Object.fromEntries(Object.entries(rules.options).filter(([name]) => !dropped.includes(name)));
  return { ...rules, seats, options: { ...options, ...needs[seats] } };
}

/** What the address says of the rules. @param {GameInfo} info @returns {RuleChoice} */
function rulesOfAddress(info) {
  const query = new URLSearchParams(place.peek().search);
  const seats = Number(query.get("seats"));
  /** @type {any} */
  let rules = {};
  try {
    rules = JSON.parse(query.get("rules") || "{}") || {};
  } catch {
    // Not ours: the defaults.
  }
  const { preset, ...options } = rules;
  return {
    seats: info.seats.includes(seats) ? seats : info.default_seats,
    preset: info.presets.some(({ name }) => name === preset) ? preset : (info.presets[0]?.name ?? "standard"),
    options,
  };
}

/** The same choice for the address of a page. @param {RuleChoice} rules @param {GameInfo} info @returns {string} */
export function rulesQuery({ seats, preset, options }, info) {
  const query = new URLSearchParams();
  if (seats !== info.default_seats) query.set("seats", `${seats}`);
  if (preset !== info.presets[0]?.name || Object.keys(options).length)
    query.set("rules", JSON.stringify({ preset, ...options }));
  const text = query.toString();
  return text && `?${text}`;
}

/** The rules as the server reads them, or why it does not take them.
 * @param {GameInfo} info @param {RuleChoice} rules */
function useRulesForm(info, rules) {
  const [form, setForm] = useState(/** @type {import("../../types.d.ts").RulesForm | null} */ (null));
  const [error, setError] = useState(/** @type {ApiError | null} */ (null));
  const [tries, setTries] = useState(0);
  const turn = useRef(0);
  const text = JSON.stringify(rules);
  useEffect(() => {
    turn.current += 1;
    const mine = turn.current;
    post("/api/rules", { game: info.name, ...rules }, { again: true }).then(
      (found) => {
        if (mine !== turn.current) return;
        setForm(found);
        setError(null);
      },
      (fault) => mine === turn.current && setError(fault),
    );
  }, [text, spoken.value, tries]);
  return { form, error, again: () => setTries(tries + 1) };
}

/** @param {{ info: GameInfo }} props */
function Form({ info }) {
  const kept = `meja.new.${info.name}`;
  const level = info.level;
  const [rules, setRules] = useState(() => rulesOfAddress(info));
  /** The last choice that the server took. */
  const good = useRef(rules);
  const [table, setTable] = useState(
    /** @returns {TableChoice} */ () => ({
      places: ["me", ...Array.from({ length: info.default_seats - 1 }, () => `bot:${level}`)],
      clock: "off",
      watch: true,
      listed: new URLSearchParams(place.peek().search).has("listed"),
      chat: true,
      talk: false,
    }),
  );
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const last = useMemo(() => /** @type {RuleChoice | null} */ (recall(kept)), []);
  const { form, error, again } = useRulesForm(info, rules);

  useEffect(() => {
    if (form && !error) good.current = rules;
  }, [form]);
  useEffect(() => {
    setSearch(rulesQuery(rules, info));
  }, [rules]);

  // A table that is listed has room for those who find it.
  const filler = table.listed && !table.places.includes("open") ? "open" : `bot:${level}`;
  const places = Array.from({ length: rules.seats }, (_, seat) => table.places[seat] ?? filler);
  if (!places.includes("me")) places[0] = "me";
  const free = places.filter((one) => one === "open").length;

  /** @param {Partial<RuleChoice>} changed */
  const choose = (changed) => setRules(withSeats(info, { ...rules, ...changed }, rules.seats));

  /** @param {number} seat @param {Place} chosen */
  const seatAs = (seat, chosen) => {
    const next = [...places];
    const mine = next.indexOf("me");
    // Exactly one seat is mine: whoever was on the chosen one moves to the old one.
    if (chosen === "me") next[mine] = /** @type {Place} */ (next[seat]);
    else if (seat === mine) {
      const other = next.findIndex((_, number) => number !== seat);
      next[other] = "me";
    }
    next[seat] = chosen;
    setTable({ ...table, places: next });
  };

  const start = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy || !form || error) return;
    setFault("");
    if (free && !(await nameForFriends())) return;
    setBusy(true);
    const me = places.indexOf("me");
    try {
      keep(kept, rules);
      await createTable({
        game: info.name,
        ...rules,
        me,
        others: places
          .filter((_, seat) => seat !== me)
          .map((one) => (one === "open" ? { kind: "open" } : { kind: "bot", level: one.slice("bot:".length) })),
        clock: table.clock,
        watch: table.watch,
        listed: table.listed,
        chat: table.chat,
        talk: table.talk,
        start: free === 0,
      });
    } catch (problem) {
      setFault(problem instanceof ApiError ? problem.text : `${problem}`);
      setBusy(false);
    }
  };

  const different = last && JSON.stringify(last) !== JSON.stringify(rules) && info.seats.includes(last.seats);
  return html`<${Page} title=${t("New table: {game}", { game: info.title })} heading=${info.title} class="new-table">
    <${Art} game=${info.name} seats=${rules.seats} />
    <p class="lead">${info.blurb}</p>
    <form class="form" onSubmit=${start}>
      <div class="panel">
        <${Segments}
          title=${t("Players")}
          name="seats"
          value=${rules.seats}
          choices=${info.seats.map((seats) => ({ value: seats, text: `${seats}` }))}
          onChange=${(/** @type {number} */ seats) => setRules(withSeats(info, rules, seats))}
        />
        ${info.presets.length > 1 &&
        html`<${Segments}
          title=${t("Way of playing")}
          name="preset"
          value=${rules.preset}
          choices=${info.presets.map(({ name, title }) => ({ value: name, text: title }))}
          onChange=${(/** @type {string} */ preset) => choose({ preset, options: {} })}
        />`}
        ${different &&
        html`<p>
          <button
            type="button"
            class="button small"
            onClick=${() => last && setRules(last)}
          >
            <${Icon} name="undo" />${t("The house rules of my last table")}
          </button>
        </p>`}
      </div>

      <div class="panel">
        <fieldset class="stack">
          <legend class="legend">${t("Seats")}</legend>
          <p class="muted">
            ${t("In playing order. Free seats are for friends: the table gives you a link for them.")}
          </p>
          <ol class="seat-rows">
            ${places.map(
              (one, seat) => html`<li>
                <label for=${`seat-${seat}`}>
                  <${Icon} name=${one === "me" ? "person" : one === "open" ? "chair" : "bot"} />
                  ${t("Seat {number}", { number: seat + 1 })}
                </label>
                <select
                  id=${`seat-${seat}`}
                  value=${one}
                  onChange=${(/** @type {any} */ event) => seatAs(seat, event.target.value)}
                >
                  <option value="me">${t("Me")}</option>
                  <option value="open">${t("Free for a friend")}</option>
                  ${info.levels.map(
                    ({ name, title }) => html`<option value=${`bot:${name}`}>
                    ${t("Bot: {level}", { level: title })}
                  </option>`,
                  )}
                </select>
              </li>`,
            )}
          </ol>
          ${info.levels.length > 0 &&
          html`<ul class="helps muted">
            ${info.levels
              .filter(({ name }) => places.includes(`bot:${name}`))
              .map(
                ({ title, help }) => html`<li>${title}: ${help}</li>`,
              )}
          </ul>`}
        </fieldset>
      </div>

      ${error &&
      html`<div class="note error" role="alert">
        <${Icon} name="warning" />
        <div class="stack">
          <p>${error.text}</p>
          <p>
            ${
              error.lost || error.status >= 500 || error.status === 429
                ? html`<button
                  type="button"
                  class="button small"
                  onClick=${again}
                >
                  <${Icon} name="refresh" />${t("Try again")}
                </button>`
                : html`<button
                  type="button"
                  class="button small"
                  onClick=${() => setRules(good.current)}
                >
                  <${Icon} name="undo" />${t("Take the last change back")}
                </button>`
            }
          </p>
        </div>
      </div>`}
      ${
        !error &&
        form?.warnings.map(
          (line) => html`<div class="note warning" key=${line}><${Icon} name="warning" /><p>${line}</p></div>`,
        )
      }
      ${form &&
      html`<${HouseRules}
        form=${form}
        query=${rulesQuery(rules, info)}
        chosen=${rules.options}
        onChange=${(/** @type {Record<string, Value>} */ options) => choose({ options })}
      />`}

      <div class="panel">
        <h2>${t("Table")}</h2>
        <${Segments}
          title=${t("Clock")}
          name="clock"
          value=${table.clock}
          choices=${(games.value?.clocks ?? []).map(({ name, title }) => ({ value: name, text: title }))}
          help=${games.value?.clocks.find(({ name }) => name === table.clock)?.help}
          onChange=${(/** @type {string} */ clock) => setTable({ ...table, clock })}
        />
        <${Switch}
          title=${t("Others may watch")}
          help=${t("Whoever has the link sees the table, but no hand.")}
          value=${table.watch}
          onChange=${(/** @type {boolean} */ watch) => setTable({ ...table, watch })}
        />
        <${Switch}
          title=${t("Show it in the list of open tables")}
          help=${t("Without this only people with your link find it.")}
          value=${table.listed}
          onChange=${(/** @type {boolean} */ listed) => setTable({ ...table, listed })}
        />
        <${Switch}
          title=${t("Chat in own words")}
          help=${t("Without this there are only ready phrases.")}
          value=${table.chat}
          onChange=${(/** @type {boolean} */ chat) => setTable({ ...table, chat })}
        />
        ${
          places.some((one) => one.startsWith("bot:")) &&
          html`<${Switch}
            title=${t("Bots say something now and then")}
            help=${t("A ready phrase before the first deal, and after some deals.")}
            value=${table.talk}
            onChange=${(/** @type {boolean} */ talk) => setTable({ ...table, talk })}
          />`
        }
      </div>

      <div class="start">
        ${fault && html`<p class="fault" role="alert">${fault}</p>`}
        <p class="muted">
          ${
            free
              ? plural(
                  free,
                  t("The game begins when {n} seat is taken.", { n: free }),
                  t("The game begins when {n} seats are taken.", { n: free }),
                )
              : t("The game begins at once.")
          }
        </p>
        <button type="submit" class="button primary big" disabled=${busy || !form || Boolean(error)} aria-busy=${busy}>
          <${Icon} name=${free ? "link" : "play"} />${free ? t("Open the table") : t("Start")}
        </button>
      </div>
    </form>
  <//>`;
}
