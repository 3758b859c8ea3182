// @ts-check
// The table of Kaluki: the melds of all, the piles, and the own hand with everything that can be done with it.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "../html.mjs";
import { settings } from "../settings.mjs";
import { useHandFocus } from "../table/focus.mjs";
import { cardName, cardSpoken, t } from "../words.mjs";
import { Bar } from "./bar.mjs";
import { choiceOf, collects, debts, trayAction, trayPoints, triedAction, triedTarget } from "./choosing.mjs";
import { AskReading, PileDialog } from "./dialogs.mjs";
import { cardWidth, fan } from "./fan.mjs";
import { useFlights } from "./flights.mjs";
import { breaksOf, keysInAction, lastKey, meldsByKey } from "./groups.mjs";
import { Hand } from "./hand.mjs";
import { Hints } from "./hints.mjs";
import { useKeys } from "./keys.mjs";
import { meldName } from "./lying.mjs";
import { grown, physical, sameCards, swapped, without } from "./melds.mjs";
import { cardOf, keepOrder, keptOrder, keysOf, moved, ordered, SORTINGS } from "./order.mjs";
import { Owner } from "./owner.mjs";
import { Piles } from "./piles.mjs";
import { openingAction, readLegal } from "./plays.mjs";
import { useRoom } from "./room.mjs";
import { valuesOf } from "./rules.mjs";

export { keys } from "./keys.mjs";
export { queries } from "./queries.mjs";

/** @typedef {import("../table/surface.d.ts").SurfaceProps} SurfaceProps */
/** @typedef {import("./plays.mjs").KalukiView} KalukiView */
/** @typedef {import("./plays.mjs").TableMeld} TableMeld */
/** @typedef {import("./choosing.mjs").Part} Part */
/** @typedef {import("./hand.mjs").Load} Load */
/** One of several ways to do what was asked for.
 * @typedef {{ cards: string[], note: string, then: () => void }} Way */

/** @param {SurfaceProps} page */
export function KalukiTable(page) {
  const { update, act, sending, announce } = page;
  const view = /** @type {KalukiView} */ (/** @type {unknown} */ (page.view));
  const values = valuesOf(update.state.rules);
  const me = view.seat;
  const plays = useMemo(() => readLegal(view.legal), [view.legal]);
  const mine = me !== null && view.to_act === me && view.legal.length > 0;
  const drawing = mine && view.phase === "draw";
  const collecting = mine && collects(view);
  const top = view.pile.length ? view.pile[view.pile.length - 1] : null;
  const opensWithTop = top !== null && view.openings.some((meld) => meld.map(physical).includes(top));
  const canTake = drawing && (plays.take || opensWithTop || plays.layings.some(({ action }) => action.startsWith("take")));

  const [order, setOrder] = useState(() => keptOrder(update.table));
  const [chosen, setChosen] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const [taking, setTaking] = useState(false);
  const [tray, setTray] = useState(/** @type {Part[]} */ ([]));
  const [focus, setFocus] = useState(/** @type {string | null} */ (null));
  const [gap, setGap] = useState(/** @type {number | null} */ (null));
  const [asked, setAsked] = useState(/** @type {{ title: string, ways: Way[] } | null} */ (null));
  const [looking, setLooking] = useState(false);
  /** Cards that go to one meld, one after the other. */
  const [row, setRow] = useState(/** @type {{ cards: string[], meld: number } | null} */ (null));

  // -- the hand ----------------------------------------------------------------------

  const asideCards = tray.flatMap((part) => (part.pile && top ? without(part.cards.map(physical), [top]) ?? [] : part.cards.map(physical)));
  const held = without(view.hand, asideCards) ?? view.hand;
  const found = view.best?.melds ?? [];
  const keys = keysOf(ordered(held, order, found));
  const meldOf = useMemo(() => meldsByKey(keys, found), [keys.join(), found]);
  const last = (/** @type {string | null} */ card) => (card === null ? null : lastKey(keys, card));
  const debt = debts(view, plays);
  const freshKey = last(view.drew);
  const keptKey = debt.taken ? last(view.taken) : null;
  const picked = keys.filter((key) => chosen.has(key));
  const cards = [...picked.map(cardOf), ...(taking && top ? [top] : [])];
  const choice = choiceOf(view, plays, cards, taking, values);
  const onItsWay = useMemo(() => keysInAction(sending, keys), [sending, keys.join()]);

  // Before anything else can happen: a later look would take away what was chosen since.
  useLayoutEffect(() => {
    setChosen((before) => ([...before].every((key) => keys.includes(key)) ? before : new Set([...before].filter((key) => keys.includes(key)))));
  }, [keys.join()]);
  useLayoutEffect(() => {
    setTaking(false);
    setTray([]);
    setAsked(null);
  }, [view.to_act, view.phase, view.pile.length, collecting]);

  // -- what is done ------------------------------------------------------------------

  function clear() {
    setChosen(new Set());
    setTaking(false);
    setRow(null);
  }

  /** @param {string} action */
  async function submit(action) {
    if (!mine || sending) {
      return false;
    }
    const sent = { chosen, tray };
    const done = await act(action);
    if (done && action !== "draw") {
      // Only what was sent is put down: more may have been chosen in the meantime.
      setChosen((before) => new Set([...before].filter((key) => !sent.chosen.has(key))));
      setTray((before) => (before === sent.tray ? [] : before));
      setTaking(false);
    }
    return done;
  }

  /** Does the only way there is, or asks which.
   * @param {string} title
   * @param {Way[]} ways */
  function choose(title, ways) {
    if (ways.length === 1) {
      ways[0].then();
    } else {
      setAsked({ title, ways });
    }
  }

  /** Lays a group: chosen by tap, or dropped on the table.
   * @param {import("./choosing.mjs").Choice} group
   * @param {boolean} pile */
  function lay(group, pile) {
    const which = t("What does the joker stand for?");
    if (group.parts.length && (tray.length || !group.layings.length)) {
      choose(which, group.parts.map((part) => wayOf(part, values, () => putAside(part, pile))));
    } else if (group.layings.length) {
      choose(which, group.layings.map(({ action, melds }) => wayOf(melds[0], values, () => void submit(action))));
    } else {
      void submit(triedAction(group.cards, pile, values));
    }
  }

  /** @param {string[]} meld
   * @param {boolean} pile */
  function putAside(meld, pile) {
    const part = { cards: meld, pile };
    if (!tray.length && trayPoints([part], values) >= (view.best?.needed ?? 0)) {
      void submit(openingAction([meld], pile));
      return;
    }
    setTray([...tray, part]);
    clear();
    announce(t("{cards} put aside for the opening: {points} of {needed}.", {
      cards: meld.map(cardSpoken).join(", "),
      points: trayPoints([...tray, part], values),
      needed: view.best?.needed ?? 0,
    }));
  }

  /** @param {string} card
   * @param {number} meld */
  function layOff(card, meld) {
    const ways = plays.targets.filter((target) => target.meld === meld && target.card === card);
    if (!ways.length) {
      void submit(triedTarget(card, meld));
      return;
    }
    const title = card === "Jk" ? t("What does the joker stand for?") : t("Add the card, or swap it for the joker?");
    const before = view.table[meld].cards;
    choose(title, ways.map((target) => ({
      cards: target.verb === "swap" ? swapped(before, card) : grown(before, target.stands ? `Jk=${target.stands}` : card),
      note: target.verb === "swap" ? t("Swap for the joker") : target.stands ? t("As {card}", { card: cardName(target.stands) }) : t("Add to meld {number}", { number: meld + 1 }),
      then: () => void submit(target.action),
    })));
  }

  // Several cards that were dropped on a meld go there one by one, as long as they fit.
  useEffect(() => {
    if (!row || sending) {
      return;
    }
    const fitting = plays.targets.filter((target) => target.meld === row.meld && target.verb === "add" && row.cards.includes(target.card));
    const [next] = fitting;
    if (!mine || !next) {
      setRow(null);
      return;
    }
    const rest = without(row.cards, [next.card]) ?? [];
    void act(next.action).then((done) => setRow(done && rest.length ? { ...row, cards: rest } : null));
  }, [row, update.head, sending]);

  function take() {
    if (me === null || !drawing || view.opened[me] || !top) {
      void submit("take");
      return;
    }
    if (taking) {
      setTaking(false);
      return;
    }
    if (!canTake) {
      // The server says why.
      void submit("take");
      return;
    }
    const best = plays.layings.filter(({ action }) => action.startsWith("take"));
    setTaking(true);
    if (!picked.length && best.length) {
      // The best meld with it is chosen at once; another choice is a tap away.
      const [meld] = best
        .map((laying) => laying.melds[0])
        .sort((one, other) => wayOf(other, values, clear).points - wayOf(one, values, clear).points);
      chooseCards(without(meld.map(physical), [top]) ?? []);
    }
  }

  /** @param {string[]} wanted */
  function chooseCards(wanted) {
    let left = [...wanted];
    setChosen(new Set(keys.filter((key) => {
      const rest = without(left, [cardOf(key)]);
      left = rest ?? left;
      return rest !== null;
    })));
  }

  /** @param {number} number */
  function chooseMeld(number) {
    const meld = found[number];
    if (meld) {
      const wanted = meld.map(physical);
      chooseCards(sameCards(cards, wanted) ? [] : wanted);
    }
  }

  /** Chooses the best opening, or the best meld there is. */
  function chooseBest() {
    if (collecting && view.phase === "play" && view.best && found.length > 1) {
      setTray(found.map((meld) => ({ cards: meld, pile: false })));
      clear();
    } else {
      chooseMeld(0);
    }
  }

  /** @param {string} key */
  function discard(key) {
    void submit(`discard ${cardOf(key)}`);
  }

  /** @param {string} key */
  function tap(key) {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(key)) {
        next.add(key);
      }
      return next;
    });
    setFocus(key);
  }

  /** @param {string} key */
  function doubleTap(key) {
    if (mine && view.phase === "play" && [...chosen].every((other) => other === key)) {
      discard(key);
    } else {
      tap(key);
    }
  }

  /** @param {string | null} target
   * @param {Load} load */
  function drop(target, load) {
    if (!mine || target === null) {
      return;
    }
    if (load.from === "stock" || load.from === "pile") {
      if (target === "hand" || load.from === "pile") {
        void (load.from === "stock" ? submit("draw") : take());
      }
      return;
    }
    const moving = load.keys.map(cardOf);
    if (target === "pile") {
      if (moving.length === 1) {
        discard(load.keys[0]);
      } else {
        announce(t("You discard one card at a time."));
      }
    } else if (target.startsWith("meld-")) {
      const meld = Number(target.slice(5));
      if (moving.length === 1) {
        layOff(moving[0], meld);
      } else {
        setRow({ cards: moving, meld });
      }
    } else if (target === "felt") {
      lay(choiceOf(view, plays, [...moving, ...(taking && top ? [top] : [])], taking, values), taking);
    }
  }

  /** @param {string[]} load
   * @param {number} place */
  function move(load, place) {
    const next = moved(keys, load, place);
    const own = next.map(cardOf);
    const changed = { sorting: /** @type {const} */ ("own"), own: [...own, ...asideCards] };
    setOrder(changed);
    keepOrder(update.table, changed);
    // Equal cards may have changed places, so the names go with the places.
    const names = keysOf(own);
    setChosen(new Set(names.filter((_, index) => chosen.has(next[index]))));
    setFocus(names[next.indexOf(load[0])]);
  }

  /** @param {import("./order.mjs").Sorting} sorting */
  function sort(sorting) {
    const changed = { ...order, sorting };
    setOrder(changed);
    keepOrder(update.table, changed);
  }

  async function undo() {
    if (!update.state.can.undo || sending) {
      return;
    }
    if (await page.undo()) {
      clear();
    }
  }

  function layChosen() {
    if (cards.length) {
      lay(choice, taking);
    } else if (tray.length) {
      void submit(trayAction(tray));
    }
  }

  // -- what is drawn -----------------------------------------------------------------

  const root = useRef(/** @type {HTMLElement | null} */ (null));
  useFlights(root, page, me, last(view.drew ?? view.taken));
  const { width, height } = useRoom(root);
  const size = cardWidth(width, height, settings.largeCards.value);
  const laid = fan(keys.length, width, size, breaksOf(keys, order.sorting, meldOf));

  useHandFocus(root, mine, '.kaluki-card[tabindex="0"]');
  useKeys(root, {
    draw: () => void submit("draw"),
    take,
    lay: layChosen,
    discard: () => {
      const key = picked.length === 1 ? picked[0] : picked.length ? null : focus;
      if (key) {
        discard(key);
      }
    },
    find: () => /** @type {HTMLElement | null} */ (root.current?.querySelector("[data-offer]"))?.focus(),
    best: chooseBest,
    sort: () => sort(SORTINGS[(SORTINGS.indexOf(/** @type {any} */ (order.sorting)) + 1) % SORTINGS.length]),
    look: () => setLooking(true),
    undo: () => void undo(),
    clear,
    enter: () => {
      if (!cards.length && focus) {
        tap(focus);
      } else if (choice.single && choice.targets.length) {
        /** @type {HTMLElement | null} */ (root.current?.querySelector("[data-offer]"))?.focus();
      } else {
        layChosen();
      }
    },
    seek: (fits) => {
      const from = focus ? keys.indexOf(focus) : -1;
      const next = [...keys.slice(from + 1), ...keys.slice(0, from + 1)].find((key) => fits(cardOf(key)));
      if (next) {
        setFocus(next);
        /** @type {HTMLElement | null} */ (root.current?.querySelector(`[data-key="${CSS.escape(next)}"]`))?.focus();
      }
      return Boolean(next);
    },
  });

  /** @param {TableMeld} meld
   * @returns {import("./lying.mjs").Offer | null} */
  function offerOf(meld) {
    if (!mine || !choice.single || view.phase !== "play") {
      return null;
    }
    const fits = choice.targets.filter((target) => target.meld === meld.meld).map((target) => target.verb);
    return { card: choice.single, fits: [...new Set(fits)] };
  }

  /** @param {TableMeld} meld */
  function takeOffer(meld) {
    if (choice.single) {
      layOff(choice.single, meld.meld);
    }
  }

  const seats = update.state.seats.map((_, seat) => seat);
  const others = me === null ? seats : seats.map((seat) => (me + 1 + seat) % seats.length).filter((seat) => seat !== me);
  return html`<section class="kaluki" data-mine=${mine ? "" : undefined} ref=${root}>
    <div class="kaluki-felt" data-drop="felt">
      <div class="kaluki-others" data-count=${others.length}>
        ${others.map(
          (seat) =>
            html`<${Owner} key=${seat} seat=${seat} page=${page} view=${view} offerOf=${offerOf} onOffer=${takeOffer} />`,
        )}
      </div>
      <div class="kaluki-middle">
        <${Piles}
          view=${view}
          mine=${mine}
          canTake=${canTake}
          taking=${taking}
          canDiscard=${mine && view.phase === "play" && choice.single !== null}
          onStock=${() => void submit("draw")}
          onPile=${() => (drawing ? take() : choice.single && mine ? discard(picked[0]) : setLooking(true))}
          onLook=${() => setLooking(true)}
          onDrop=${drop}
        />
        <${Hints}
          view=${view}
          held=${held}
          debt=${debt}
          values=${values}
          tray=${tray}
          onMeld=${chooseMeld}
          onBest=${chooseBest}
          onPutBack=${(/** @type {number} */ place) => setTray(tray.filter((_, index) => index !== place))}
        />
      </div>
      ${me !== null && html`<${Owner} seat=${me} page=${page} view=${view} offerOf=${offerOf} onOffer=${takeOffer} />`}
    </div>
    ${me !== null &&
    html`<div class="kaluki-desk">
      <${Bar}
        view=${view}
        mine=${mine}
        busy=${sending !== null}
        choice=${choice}
        canTake=${canTake}
        taking=${taking}
        tray=${tray}
        values=${values}
        sorting=${order.sorting}
        canUndo=${update.state.can.undo}
        onSort=${sort}
        onDraw=${() => void submit("draw")}
        onTake=${take}
        onLay=${layChosen}
        onDiscard=${() => picked.length === 1 && discard(picked[0])}
        onClear=${clear}
        onUndo=${() => void undo()}
      />
      <${Hand}
        keys=${keys}
        chosen=${chosen}
        markOf=${(/** @type {string} */ key) => ({
          meld: meldOf.get(key) ?? null,
          fresh: key === freshKey,
          kept: key === keptKey,
          sending: onItsWay.has(key),
        })}
        laid=${laid}
        size=${size}
        focus=${focus}
        onFocus=${setFocus}
        onTap=${tap}
        onDouble=${doubleTap}
        onMove=${move}
        onDrop=${drop}
        gap=${gap}
        onGap=${setGap}
      />
    </div>`}
    ${asked && html`<${AskReading} title=${asked.title} ways=${asked.ways} onClose=${() => setAsked(null)} />`}
    ${looking && html`<${PileDialog} pile=${view.pile} onClose=${() => setLooking(false)} />`}
  </section>`;
}

/** @param {string[]} meld
 * @param {import("./melds.mjs").Values} values
 * @param {() => void} then
 * @returns {Way & { points: number }} */
function wayOf(meld, values, then) {
  const points = trayPoints([{ cards: meld, pile: false }], values);
  return { cards: meld, note: t("{cards}: {points} points", { cards: meldName(meld), points }), points, then };
}
