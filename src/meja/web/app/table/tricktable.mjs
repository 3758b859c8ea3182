// @ts-check
// The surface of the trick games: the others around the felt, the trick in the middle, the own hand below.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Card } from "../card.mjs";
import { Dialog } from "../dialog.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { settings } from "../settings.mjs";
import { cardName, plural, t } from "../words.mjs";
import { CallPicker, Choices } from "./choices.mjs";
import { Hand, handPlaces } from "./hand.mjs";
import { flyIn, flyOut, pace } from "./motion.mjs";
import { direction, placeOf, SeatBadge } from "./seats.mjs";
import { createStage } from "./stage.mjs";
import { bubblesOf, calling, cardList, points, role, strip, withYou } from "./tell.mjs";

/** @typedef {import("./surface.d.ts").SurfaceProps} SurfaceProps */
/** @typedef {import("./surface.d.ts").TrickView} TrickView */
/** @typedef {import("./stage.mjs").Stage} Stage */

/** What a card of the hand is used for, by phase. */
const VERBS = /** @type {Record<string, string>} */ ({ play: "play", give: "give", discard: "discard" });

/** How long a forced card is looked at before it plays itself, in milliseconds; longer when a reason is being read. */
const FORCED = 650;
const READING = 5000;

/** @param {SurfaceProps} props */
export function TrickTable({ update, act, sending, waiting, refusal, names, listen, busy, link, openSeat }) {
  const view = /** @type {TrickView} */ (update.view);
  const { state } = update;
  const me = view.seat;
  const seats = state.seats.length;
  const root = useRef(/** @type {HTMLDivElement | null} */ (null));
  const latest = useRef(update);
  latest.current = update;
  const stage = useOnce(() => createStage((event) => bubblesOf(event, latest.current)));
  const fresh = useFresh(view);
  const [looking, setLooking] = useState(false);
  const frame = stage.frame.value;

  useLayoutEffect(() => {
    const unsubscribe = stage.frame.subscribe((now) => (busy.value = now !== null));
    const deaf = listen(stage.take);
    // The first deal of a match brings this surface into the page; it is shown like the others.
    if (update.steps.some((step) => step.events?.some(({ kind }) => kind === "deal"))) stage.take(update, update.steps, update);
    return () => {
      deaf();
      unsubscribe();
      stage.flush();
      busy.value = false;
    };
  }, []);

  const live = state.status === "playing" && me !== null && view.to_act === me && view.legal.length > 0;
  const verb = live ? VERBS[view.phase] ?? null : null;
  const legal = new Set(verb ? view.legal.filter((text) => text.startsWith(`${verb} `)).map((text) => text.slice(verb.length + 1)) : []);
  const sendingCard = sending && verb && sending.startsWith(`${verb} `) ? sending.slice(verb.length + 1) : null;

  /** @param {string} action */
  const use = (action) => {
    // Who acts has seen enough: what lies in the middle must not lag behind.
    stage.flush();
    return act(action);
  };

  useForced(update, live && !waiting, sending, refusal !== null, stage, use);

  const trick = frame ? frame.trick : view.trick;
  const others = Array.from({ length: seats }, (_, seat) => seat).filter((seat) => placeOf(seat, me, seats) !== 0);
  const bottom = me ?? 0;
  const badge = (/** @type {number} */ seat, /** @type {boolean} */ own) => html`<${SeatBadge}
    key=${seat}
    seat=${seat}
    update=${update}
    link=${link}
    openSeat=${openSeat}
    own=${own}
    bubble=${stage.bubbles.value[seat] ?? null}
    role=${unsaid(role(update, seat), stage.bubbles.value[seat])}
    counts=${counts(update, seat, frame)}
    idle=${state.status !== "between" && !view.players.includes(seat) ? t("sits out") : ""}
  />`;

  return html`<div class="trick-table" ref=${root} data-seats=${seats} data-spectator=${me === null ? "" : undefined}>
    <${Strip} update=${update} names=${names} />
    <div class="felt" data-drop="felt" data-waits=${frame?.waits ? "" : undefined} onClick=${() => stage.skip()}>
      <div class="felt-line" aria-hidden="true" />
      ${others.map((seat) => {
        const place = placeOf(seat, me, seats);
        return html`<div class="felt-seat" key=${seat} data-place=${place} data-of=${seats}>${badge(seat, false)}</div>`;
      })}
      <div class="middle">
        ${trick.map(
          ([seat, card]) => html`<${TrickCard}
            key=${card}
            card=${card}
            seat=${seat}
            toward=${direction(placeOf(seat, me, seats), seats)}
            moves=${frame !== null || seat === me}
            winner=${frame?.winner ?? null}
            sweep=${frame?.sweep ?? false}
            root=${root}
          />`,
        )}
        ${!trick.length && html`<${Middle} update=${update} names=${names} frame=${frame} live=${live} />`}
        ${frame?.dealing !== undefined && frame?.dealing !== null && html`<${Dealing} update=${update} dealer=${frame.dealing} root=${root} />`}
      </div>
      ${frame?.waits && html`<p class="tap-on">${t("Tap to go on")}</p>`}
      ${live && view.phase === "call" && html`<${CallPicker} view=${view} sending=${sending} use=${use} />`}
    </div>
    <div class="own-row">
      ${badge(bottom, true)}
      <p class="prompt" data-turn=${live && !frame?.behind ? "" : undefined}>${sending ? t("Sending …") : frame?.behind ? "" : view.prompt}</p>
      <button type="button" class="icon-button last-trick" aria-label=${t("Last trick")} title=${t("Last trick")} disabled=${!view.last_trick} onClick=${() => setLooking(true)}>
        <${Icon} name="last" />
      </button>
    </div>
    ${live && html`<${Choices} update=${update} sending=${sending} use=${use} />`}
    ${me !== null &&
    html`<${Hand}
      cards=${view.hand}
      turn=${live}
      verb=${verb}
      legal=${legal}
      sending=${sendingCard}
      refused=${refusal && verb && refusal.action.startsWith(`${verb} `) ? refusal.action.slice(verb.length + 1) : null}
      fresh=${fresh}
      dealtFrom=${frame?.dealing !== undefined && frame?.dealing !== null ? placeRect(root.current, frame.dealing) : null}
      label=${t("Your hand")}
      onUse=${(/** @type {string} */ card) => use(`${verb} ${card}`)}
    />`}
    ${looking &&
    view.last_trick &&
    html`<${Dialog} onClose=${() => setLooking(false)} title=${t("Last trick")}>
      <${LastTrick} trick=${view.last_trick} names=${withYou(view, names)} me=${me} />
    <//>`}
  </div>`;
}

/** @template T @param {() => T} make @returns {T} */
function useOnce(make) {
  const made = useRef(/** @type {T | null} */ (null));
  made.current ??= make();
  return made.current;
}

/** The cards that came into the hand during the deal: the called one, those of the monte. @param {TrickView} view */
function useFresh(view) {
  if (view.phase !== "give" && view.phase !== "discard") return [];
  const mine = view.to_act === view.seat;
  return mine ? [...cardList(view.picked_up), ...(view.called ? [view.called] : [])].filter((card) => view.hand.includes(card)) : [];
}

/**
 * A card that is the only choice plays itself, when the table has been looked at.
 * @param {SurfaceProps["update"]} update @param {boolean} live @param {string | null} sending @param {boolean} reading @param {Stage} stage
 * @param {(action: string) => Promise<boolean>} use
 */
function useForced(update, live, sending, reading, stage, use) {
  const view = /** @type {TrickView} */ (update.view);
  const only = live && view.phase === "play" && view.legal.length === 1 && settings.forced.value ? view.legal[0] : null;
  const wanted = useRef(/** @type {string | null} */ (null));
  wanted.current = only && !sending ? `${update.head} ${only}` : null;
  useEffect(() => {
    if (!only || sending) return undefined;
    const mark = `${update.head} ${only}`;
    let timer = 0;
    let stopped = false;
    void stage.settled().then(() => {
      if (stopped) return;
      timer = window.setTimeout(() => {
        if (wanted.current === mark) void use(only);
      }, reading ? READING : FORCED * Math.max(pace(), 0.5));
    });
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [only, update.head, sending, reading]);
}

/** @param {SurfaceProps["update"]} update @param {number} seat @param {import("./stage.mjs").Frame | null} frame */
function counts(update, seat, frame) {
  const view = /** @type {TrickView} */ (update.view);
  const { game } = update.state;
  const cards = (view.hand_sizes[seat] ?? 0) + (frame?.unplayed[seat] ?? 0);
  const tricks = (view.tricks_won[seat] ?? 0) - (frame?.unwon[seat] ?? 0);
  const list = [{ icon: "cards", value: /** @type {string | number} */ (cards), label: plural(cards, t("{n} card", { n: cards }), t("{n} cards", { n: cards })) }];
  // Where somebody has won a trick, none is a number too.
  if (view.phase === "play" || view.tricks_won.some((won) => won > 0)) {
    const taken = points(game, (frame?.unwon[seat] ? frame.taken[seat] : view.taken[seat]) ?? 0);
    list.push({ icon: "trick", value: tricks, label: plural(tricks, t("{n} trick", { n: tricks }), t("{n} tricks", { n: tricks })) });
    list.push({ icon: "star", value: taken, label: t("{points} card points", { points: taken }) });
  }
  return list;
}

/** What a seat carries, but not while it says the same. @param {ReturnType<typeof role>} sign @param {import("./stage.mjs").Bubble | undefined} bubble */
function unsaid(sign, bubble) {
  return sign && bubble && sign.label.includes(bubble.text) ? null : sign;
}

/** Where a seat's sign is drawn. @param {Element | null} root @param {number} seat */
function placeRect(root, seat) {
  return root?.querySelector(`[data-seat="${seat}"] .avatar`)?.getBoundingClientRect() ?? null;
}

/** @param {any} props */
function TrickCard({ card, seat, toward, moves, winner, sweep, root }) {
  const element = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    if (moves && element.current) void flyIn(element.current, handPlaces.get(card) ?? placeRect(root.current, seat));
  }, []);
  useLayoutEffect(() => {
    if (sweep && winner !== null && element.current) void flyOut(element.current, placeRect(root.current, winner));
  }, [sweep]);
  // A slight turn that is the same for everybody who looks, and at every drawing.
  const turn = -toward.x * 5 + (((card.charCodeAt(0) * 7 + card.charCodeAt(1) * 3) % 9) - 4);
  // Whoever came first: the cards nearer to the own place lie on top, so that none covers the corner of another.
  const level = 1 + Math.round((toward.y + 1) * 20 + (toward.x + 1) * 2);
  return html`<div
    class="trick-card"
    ref=${element}
    data-winner=${winner === seat ? "" : undefined}
    data-loser=${winner !== null && winner !== seat ? "" : undefined}
    style=${{ "--x": toward.x, "--y": toward.y, "--turn": `${turn}deg`, "z-index": level }}
  >
    <${Card} card=${card} />
  </div>`;
}

/** Backs that fly from the dealer to everybody. @param {any} props */
function Dealing({ update, dealer, root }) {
  const view = /** @type {TrickView} */ (update.view);
  const others = view.players.filter((seat) => seat !== view.seat);
  const rounds = Math.min(3, Math.max(...view.hand_sizes, 1));
  return html`${Array.from({ length: rounds }, (_, round) =>
    others.map((seat, at) => html`<${DealtBack} key=${`${seat}-${round}`} from=${dealer} to=${seat} root=${root} delay=${(round * others.length + at) * 70} />`),
  )}`;
}

/** @param {any} props */
function DealtBack({ from, to, root, delay }) {
  const element = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    const start = placeRect(root.current, from);
    const end = placeRect(root.current, to);
    const own = element.current?.getBoundingClientRect();
    if (!element.current || !start || !end || !own || !pace()) return;
    const shift = (/** @type {DOMRect} */ box) =>
      `${box.left + box.width / 2 - own.left - own.width / 2}px ${box.top + box.height / 2 - own.top - own.height / 2}px`;
    element.current.animate(
      [
        { translate: shift(start), scale: 0.6, opacity: 1, rotate: "0deg" },
        { translate: shift(end), scale: 0.6, opacity: 1, rotate: "140deg", offset: 0.9 },
        { translate: shift(end), scale: 0.4, opacity: 0, rotate: "160deg" },
      ],
      { duration: 360 * pace(), delay: delay * pace(), easing: "ease-out", fill: "both" },
    );
  }, []);
  return html`<div class="dealt-back" ref=${element} aria-hidden="true"><${Card} card=${null} /></div>`;
}

/** What is in the middle while no trick lies there. @param {any} props */
function Middle({ update, names, frame, live }) {
  const view = /** @type {TrickView} */ (update.view);
  if (frame?.spread) {
    return html`<div class="spread">
      <p>${t("The monte goes to {name}", { name: calling(view, names)(frame.spread.seat) })}</p>
      <div class="spread-cards">${frame.spread.cards.map((/** @type {string} */ card) => html`<${Card} key=${card} card=${card} />`)}</div>
    </div>`;
  }
  if (view.phase === "give" || view.phase === "discard") {
    const shown = cardList(view.shown);
    const own = cardList(view.picked_up);
    const cards = shown.length ? shown : live ? own : [];
    return html`<div class="spread">
      ${cards.length > 0 &&
      html`<p>${shown.length ? t("The monte, seen by all") : t("You took from the monte")}</p>
        <div class="spread-cards">${cards.map((card) => html`<${Card} key=${card} card=${card} />`)}</div>`}
      ${view.given && html`<p>${t("Given back: {card}", { card: cardName(view.given) })}</p>`}
      ${live && view.phase === "discard" && html`<${LeftToLay} hand=${view.hand.length} />`}
    </div>`;
  }
  if (view.phase === "play" && update.state.status === "playing" && !frame) {
    return html`<p class="middle-word">
      ${view.leader === view.seat ? t("You lead") : t("{name} leads", { name: names[view.leader] })}
    </p>`;
  }
  return null;
}

/** @param {{hand: number}} props */
function LeftToLay({ hand }) {
  const n = hand - 12;
  return html`<p class="left-to-lay">
    ${plural(n, t("Lay {n} more card into the monte", { n }), t("Lay {n} more cards into the monte", { n }))}
  </p>`;
}

/** @param {Pick<SurfaceProps, "update" | "names">} props */
function Strip({ update, names }) {
  const view = /** @type {TrickView} */ (update.view);
  const done = view.tricks_won.reduce((sum, won) => sum + won, 0);
  const all = done + Math.max(...view.hand_sizes);
  return html`<dl class="strip">
    ${strip(update, names).filter(({ asked }) => !asked).map(
      ({ key, label, text, red }) => html`<div key=${key} data-part=${key}>
        <dt>${label}</dt>
        <dd data-red=${red ? "" : undefined}>${text}</dd>
      </div>`,
    )}
    ${view.phase === "play" &&
    html`<div data-part="trick">
      <dt>${t("Trick")}</dt>
      <dd>${t("{n} of {of}", { n: Math.min(done + 1, all), of: all })}</dd>
    </div>`}
  </dl>`;
}

/** @param {{trick: NonNullable<TrickView["last_trick"]>, names: string[], me: number | null}} props */
function LastTrick({ trick, names, me }) {
  return html`<ul class="last-trick-cards">
    ${trick.cards.map(
      ([seat, card]) => html`<li key=${card} data-winner=${seat === trick.winner ? "" : undefined}>
        <${Card} card=${card} />
        <span>${names[seat]}</span>
        ${seat === trick.winner && html`<strong>${seat === me ? t("take it") : t("takes it")}</strong>`}
      </li>`,
    )}
  </ul>`;
}
