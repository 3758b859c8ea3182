// @ts-check
// The trick games in words: what was bid and called, what a seat says of an event, and the answers to the letters h t l s w r.
import { cardName, cardSpoken, list, plural, suitName, suitSign, t } from "../words.mjs";
import { held } from "./hand.mjs";

/** @typedef {import("./surface.d.ts").Update} Update */
/** @typedef {import("./surface.d.ts").TrickView} TrickView */
/** @typedef {import("./surface.d.ts").TableEvent} TableEvent */
/** @typedef {import("./stage.mjs").Bubble} Bubble */

/** Cards as a list, however they are written. @param {unknown} cards @returns {string[]} */
export function cardList(cards) {
  if (Array.isArray(cards)) return cards;
  return typeof cards === "string" ? cards.split(" ").filter(Boolean) : [];
}

/** The word of a bid or a declaration of Calabresella. @param {string} word */
export function contractWord(word) {
  switch (word) {
    case "chiamo":
      return t("chiamo");
    case "solo":
      return t("solo");
    case "solissimo":
      return t("solissimo");
    case "plain":
      return t("plain");
    case "dividete":
      return t("dividete");
    case "scegliete":
      return t("scegliete");
    default:
      return word;
  }
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What Calabresella is played for. @param {Record<string, any>} rules @param {string} contract @param {string | null} raised */
export function stake(rules, contract, raised) {
  if (contract === "chiamo") return 1;
  if (contract === "solo") return 2;
  return Number(rules.solissimo_base ?? 4) << (raised ? ["plain", "dividete", "scegliete"].indexOf(raised) : 0);
}

/** Thirds of a point: "4⅓". @param {number} value */
export function thirds(value) {
  const whole = Math.floor(value / 3);
  const rest = ["", "⅓", "⅔"][value % 3];
  return whole || !rest ? `${whole}${rest}` : rest;
}

/** Card points as the game counts them. @param {string} game @param {number} value */
export function points(game, value) {
  return game === "calabresella" ? thirds(value) : String(value);
}

/** What a seat is called within a sentence: the own one is "you". @param {{seat?: number | null}} view @param {string[]} names */
export function calling(view, names) {
  return (/** @type {number} */ seat) => (seat === view.seat ? t("you") : names[seat]);
}

/**
 * What stands above the felt all the time: trump, bid, contract, called card.
 * @param {Update} update @param {string[]} names
 * @returns {{key: string, label: string, text: string, red?: boolean, asked?: boolean}[]} `asked`: told only to who asks
 */
export function strip(update, names) {
  const view = /** @type {TrickView} */ (update.view);
  const { game, rules } = update.state;
  /** @type {ReturnType<typeof strip>} */
  const parts = [];
  const who = calling(view, names);
  if (game === "smear") {
    const bid = Number(view.bid ?? 0);
    parts.push({
      key: "trump",
      label: t("Trump"),
      text: view.trump ? `${suitSign(view.trump)} ${suitName(view.trump)}` : t("the first card led"),
      red: view.trump === "h" || view.trump === "d",
    });
    parts.push({
      key: "bid",
      label: t("Bid"),
      text: typeof view.bidder === "number" && bid ? t("{bid} by {name}", { bid, name: who(view.bidder) }) : t("none yet"),
    });
  } else if (game === "calabresella") {
    if (typeof view.bidder === "number" && view.contract) {
      const words = [view.contract, ...(view.raise ? [view.raise] : [])].map(contractWord).join(" ");
      parts.push({ key: "contract", label: t("Contract"), text: t("{bid} by {name}", { bid: capital(words), name: who(view.bidder) }) });
      if (view.phase !== "auction") parts.push({ key: "stake", label: t("Stake"), text: String(stake(rules, view.contract, view.raise ?? null)) });
    } else {
      parts.push({ key: "contract", label: t("Contract"), text: t("none yet") });
    }
    if (view.called) {
      const from = typeof view.giver === "number" ? who(view.giver) : t("the monte");
      parts.push({ key: "called", label: t("Called"), text: t("{card} from {name}", { card: cardName(view.called), name: from }) });
    }
  } else {
    parts.push({ key: "trump", label: t("Trump"), text: t("none"), asked: true });
  }
  return parts;
}

/**
 * The sign a seat carries: its bid in the auction, its contract afterwards.
 * @param {Update} update @param {number} seat
 * @returns {{text: string, label: string, tone?: string} | null}
 */
export function role(update, seat) {
  const view = /** @type {TrickView} */ (update.view);
  if (update.state.game === "smear") {
    if (view.phase === "bid") {
      const made = (view.calls ?? []).filter((/** @type {[number, number]} */ call) => call[0] === seat);
      if (!made.length) return null;
      const bid = made[made.length - 1][1];
      return bid ? { text: String(bid), label: t("bid {bid}", { bid }) } : { text: t("pass"), label: t("passed"), tone: "quiet" };
    }
    return view.bidder === seat ? { text: t("bid {bid}", { bid: Number(view.bid) }), label: t("bid {bid}", { bid: Number(view.bid) }), tone: "strong" } : null;
  }
  if (update.state.game === "calabresella") {
    const made = (view.calls ?? []).filter((/** @type {[number, string]} */ call) => call[0] === seat);
    if (view.phase === "auction" && made.length) {
      const call = made[made.length - 1][1];
      return call === "pass" ? { text: t("pass"), label: t("passed"), tone: "quiet" } : bidRole(call);
    }
    if (view.bidder === seat && view.contract) return { ...bidRole(view.contract), tone: "strong" };
  }
  return null;
}

/** @param {string} bid */
function bidRole(bid) {
  const text = contractWord(bid);
  return { text, label: text };
}

/**
 * What a seat says of an event.
 * @param {TableEvent} event @param {Update | null} update
 * @returns {{text: string, tone?: Bubble["tone"], seat?: number}[]}
 */
export function bubblesOf(event, update) {
  switch (event.kind) {
    case "pass":
      return [{ text: t("pass") }];
    case "bid":
      return [{ text: typeof event.bid === "number" ? String(event.bid) : contractWord(event.bid) }];
    case "raise":
      return [{ text: contractWord(event.raise) }];
    case "call":
      return [{ text: cardName(String(event.card)) }];
    case "trump":
      return [{ text: `${suitSign(String(event.suit))} ${suitName(String(event.suit))}` }];
    case "pick-up": {
      const n = Number(event.count);
      return [{ text: plural(n, t("takes {n} card", { n }), t("takes {n} cards", { n })) }];
    }
    case "give":
      return [{ text: t("gives {card}", { card: cardName(String(event.card)) }) }];
    case "score":
      if (event.void) return [];
      return event.points.map((/** @type {number} */ value, /** @type {number} */ seat) => {
        const good = update?.state.scores.aim === "low" ? value <= 0 : value > 0;
        return { seat, text: signed(value), tone: good ? "good" : value === 0 ? "say" : "bad" };
      });
    default:
      return [];
  }
}

/** "+3", "−2", "0". @param {number} value */
export function signed(value) {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}

/** @param {string[]} cards */
export function spokenCards(cards) {
  return list(cards.map(cardSpoken));
}

/** @param {[number, string][]} trick @param {string[]} names */
function played(trick, names) {
  return trick.map(([seat, card]) => `${names[seat]}: ${cardSpoken(card)}`).join("; ");
}

/** The names, the own one as "You". @param {{seat?: number | null}} view @param {string[]} names */
export function withYou(view, names) {
  return names.map((name, seat) => (seat === view.seat ? t("You") : name));
}

/** @type {import("./surface.d.ts").Queries} */
export function queries(update, names) {
  const view = /** @type {TrickView | null} */ (update.view);
  if (!view) return {};
  const bySuit = [..."shcd"]
    .map((suit) => [suit, held(view.hand).filter((card) => card[1] === suit)])
    .filter(([, cards]) => cards.length)
    .map(([suit, cards]) => `${suitName(/** @type {string} */ (suit))}: ${list(/** @type {string[]} */ (cards).map((card) => rankSpoken(card)))}`);
  const parts = strip(update, names).map(({ label, text }) => `${label}: ${text}`);
  const last = view.last_trick;
  const called = withYou(view, names);
  return {
    h: view.hand.length ? `${t("Your hand")}: ${bySuit.join("; ")}` : t("You hold no cards."),
    t: tableSentence(update, called),
    l: last ? `${played(last.cards, called)}. ${last.winner === view.seat ? t("You took it.") : t("{name} took it.", { name: names[last.winner] })}` : t("No trick has been finished yet."),
    r: parts.join(". "),
  };
}

/** @param {string} card */
function rankSpoken(card) {
  return cardSpoken(card[0]);
}

/** @param {Update} update @param {string[]} names */
function tableSentence(update, names) {
  const view = /** @type {TrickView} */ (update.view);
  const shown = cardList(view.shown);
  const tricks = view.players
    .map((seat) => t("{name} {n}", { name: names[seat], n: view.tricks_won[seat] }))
    .join(", ");
  const cards = view.trick.length
    ? `${t("On the table")}: ${played(view.trick, names)}.`
    : shown.length && view.phase !== "play"
      ? `${t("The monte")}: ${spokenCards(shown)}.`
      : t("No card lies on the table.");
  return `${cards} ${t("Tricks")}: ${tricks}.`;
}
