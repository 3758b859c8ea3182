// @ts-check
// A moment of a deal with all hands open: who holds what, and what lies in the middle.

import { Card } from "../card.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { TableMeld } from "../kaluki/lying.mjs";
import { cardOf, keysOf } from "../kaluki/order.mjs";
import { points, role, strip } from "../table/tell.mjs";
import { cardSpoken, list, plural, t } from "../words.mjs";
import { pack } from "./layout.mjs";

/** @typedef {import("../../types.d.ts").Replay} Replay */
/** @typedef {import("../../types.d.ts").OpenView} OpenView */

/**
 * @param {object} props
 * @param {Replay} props.replay
 * @param {number} props.step
 * @param {{ name: string, bot: boolean }[]} props.players
 */
export function ReplayStage({ replay, step, players }) {
  const { action, view } = replay.steps[step];
  const kaluki = replay.game === "kaluki";
  const actor = action === null ? null : Number(action.split(" ")[0]);
  // The parts of the table that tell of bids and trumps look at the same fields of an update.
  const update = /** @type {any} */ ({ state: { game: replay.game, rules: replay.rules }, view });
  const names = players.map(({ name }) => name);
  // Seats go round clockwise: the first at the bottom, then from the left over the top.
  const top = players.map((_, seat) => seat).filter((seat) => seat > 0 && seat <= Math.ceil((players.length - 1) / 1.5));
  const bottom = [0, ...players.map((_, seat) => seat).filter((seat) => seat > 0 && !top.includes(seat)).reverse()];
  const seatOf = (/** @type {number} */ seat) => html`<${SeatPanel}
    key=${seat}
    seat=${seat}
    replay=${replay}
    view=${view}
    player=${players[seat]}
    names=${names}
    acts=${seat === actor}
    sign=${kaluki ? null : role(update, seat)}
  />`;
  return html`<section class="replay-stage" data-game=${replay.game} aria-label=${t("The table")}>
    ${!kaluki &&
    html`<dl class="replay-strip">
      ${strip(update, names).filter(({ asked }) => !asked).map(
        ({ key, label, text }) => html`<div key=${key}>
          <dt>${label}</dt>
          <dd>${text}</dd>
        </div>`,
      )}
    </dl>`}
    <div class="replay-seats">${top.map(seatOf)}</div>
    ${kaluki ? html`<${PilesOf} view=${view} />` : html`<${Middle} view=${view} action=${action} names=${names} monte=${monteOf(replay, step)} />`}
    <div class="replay-seats">${bottom.map(seatOf)}</div>
  </section>`;
}

/**
 * @param {object} props
 * @param {number} props.seat
 * @param {Replay} props.replay
 * @param {OpenView} props.view
 * @param {{ name: string, bot: boolean }} props.player
 * @param {string[]} props.names
 * @param {boolean} props.acts
 * @param {{ text: string, label: string, tone?: string } | null} props.sign
 */
function SeatPanel({ seat, replay, view, player, names, acts, sign }) {
  const hand = view.hands[seat] ?? [];
  const melds = (view.table ?? []).filter((meld) => meld.owner === seat);
  const plays = !view.players || view.players.includes(seat);
  const tricks = view.tricks_won?.[seat];
  const taken = Array.isArray(view.taken) ? view.taken[seat] : undefined;
  return html`<section class="replay-seat" data-acts=${acts ? "" : undefined} data-turn=${view.to_act === seat ? "" : undefined} aria-label=${player.name}>
    <header class="replay-seat-head">
      ${player.bot && html`<${Icon} name="bot" />`}
      <strong>${player.name}</strong>
      ${replay.dealer === seat && html`<span class="replay-sign">${t("dealer")}</span>`}
      ${sign && html`<span class="replay-sign">${sign.text}</span>`}
      ${!plays && html`<span class="replay-sign">${t("sits out")}</span>`}
      ${view.opened?.[seat] && html`<span class="replay-sign">${t("opened")}</span>`}
      ${view.to_act === seat && html`<span class="replay-sign" data-strong="">${t("to move")}</span>`}
      <span class="replay-counts">
        ${tricks !== undefined && plays && html`<span>${plural(tricks, t("{n} trick", { n: tricks }), t("{n} tricks", { n: tricks }))}</span>`}
        ${typeof taken === "number" && plays && html`<span>${t("{points} card points", { points: points(replay.game, taken) })}</span>`}
        ${replay.game === "kaluki" && html`<span>${plural(hand.length, t("{count} card", { count: hand.length }), t("{count} cards", { count: hand.length }))}</span>`}
      </span>
    </header>
    <div class="replay-hand" role="img" aria-label=${hand.length ? list(hand.map(cardSpoken)) : t("no cards")}>
      ${keysOf(hand).map((key) => html`<span class="replay-card" key=${key}><${Card} card=${cardOf(key)} hidden /></span>`)}
    </div>
    ${melds.length > 0 &&
    html`<div class="kaluki-melds">
      ${melds.map((meld) => html`<${TableMeld} key=${meld.meld} meld=${meld} owner=${names[seat]} offer=${null} onOffer=${() => {}} />`)}
    </div>`}
  </section>`;
}

/** The cards of the monte (and those on the way to it): what nobody holds and nobody has played.
 * @param {Replay} replay
 * @param {number} step */
function monteOf(replay, step) {
  if (replay.game !== "calabresella") {
    return [];
  }
  const gone = new Set(replay.steps[step].view.hands.flat());
  for (const { action } of replay.steps.slice(1, step + 1)) {
    const [, verb, card] = (action ?? "").split(" ");
    if (verb === "play") {
      gone.add(card);
    }
  }
  return (pack("calabresella") ?? []).filter((card) => !gone.has(card));
}

/** The trick on the table; one that has just been finished stays for its step.
 * @param {{ view: OpenView, action: string | null, names: string[], monte: string[] }} props */
function Middle({ view, action, names, monte }) {
  const done = !view.trick?.length && action?.split(" ")[1] === "play" ? view.last_trick : null;
  const trick = done?.cards ?? view.trick ?? [];
  return html`<div class="replay-middle">
    ${trick.map(
      ([seat, card]) => html`<figure class="replay-played" key=${card} data-wins=${done?.winner === seat ? "" : undefined}>
        <${Card} card=${card} />
        <figcaption><span>${names[seat]}</span>${done?.winner === seat && html` <span>${t("takes it")}</span>`}</figcaption>
      </figure>`,
    )}
    ${monte.length > 0 &&
    html`<div class="replay-monte" data-small=${trick.length ? "" : undefined}>
      <div class="replay-hand">${monte.map((card) => html`<span class="replay-card" key=${card}><${Card} card=${card} /></span>`)}</div>
      <span>${t("Monte")}</span>
    </div>`}
  </div>`;
}

/** @param {{ view: OpenView }} props */
function PilesOf({ view }) {
  const pile = view.pile ?? [];
  const top = pile[pile.length - 1];
  const stock = view.stock ?? 0;
  return html`<div class="replay-middle">
    <figure class="replay-played">
      <${Card} card=${null} empty=${!stock} />
      <figcaption>${t("Stock: {count}", { count: stock })}</figcaption>
    </figure>
    <figure class="replay-played">
      <${Card} card=${top ?? null} empty=${!top} />
      <figcaption>${t("Discard pile: {count}", { count: pile.length })}</figcaption>
    </figure>
  </div>`;
}
