// @ts-check
// How each game deals its pack, so that a browser can check a deal without asking the server.

/** @typedef {{ preset?: string, [option: string]: unknown }} Rules */
/** @typedef {{ hands: string[][], monte: string[], upcard: string | null, stock: string[] }} Layout */

const SUITS = "shdc";
const RANKS = "23456789TJQKA";

/** One card of each rank named, suit by suit, from low to high.
 * @param {string} ranks */
function packOf(ranks) {
  return [...SUITS].flatMap((suit) => [...RANKS].filter((rank) => ranks.includes(rank)).map((rank) => rank + suit));
}

/** @type {Record<string, readonly string[]>} */
const PACKS = {
  bassadewitz: packOf("789TJQKA"),
  calabresella: packOf("234567JQKA"),
  kaluki: [...packOf(RANKS).flatMap((card) => [card, card]), "Jk", "Jk", "Jk", "Jk"],
  smear: packOf(RANKS),
};

/** What the ready-made sets of options change about dealing.
 * @type {Record<string, Record<string, unknown>>} */
const PRESETS = { trad: { direction: "ccw" }, kalooki51: { cards: 13 }, kalooki40: { cards: 13 } };

/** @param {Rules} rules
 * @param {string} name
 * @param {unknown} usual */
function option(rules, name, usual) {
  return rules[name] ?? PRESETS[String(rules.preset ?? "standard")]?.[name] ?? usual;
}

/** The pack of a game in the order in which it goes into the shuffle; `null` for an unknown game.
 * @param {string} game
 * @returns {readonly string[] | null} */
export function pack(game) {
  return Object.hasOwn(PACKS, game) ? PACKS[game] : null;
}

/** `size` cards for each player, dealt one at a time.
 * @param {readonly string[]} cards
 * @param {number} dealer
 * @param {number} seats
 * @param {number} size */
function oneByOne(cards, dealer, seats, size) {
  /** @type {string[][]} */
  const hands = Array.from({ length: seats }, () => []);
  for (let place = 0; place < size * seats; place++) {
    hands[(dealer + 1 + place) % seats].push(cards[place]);
  }
  return hands;
}

/** Packets of `size` cards, round by round, to the seats of `order`.
 * @param {readonly string[]} cards
 * @param {number[]} order
 * @param {number} seats
 * @param {number} size
 * @param {number} rounds */
function packets(cards, order, seats, size, rounds) {
  /** @type {string[][]} */
  const hands = Array.from({ length: seats }, () => []);
  for (let place = 0; place < rounds * order.length; place++) {
    hands[order[place % order.length]].push(...cards.slice(place * size, (place + 1) * size));
  }
  return hands;
}

/** Deal a shuffled pack.
 * @param {string} game
 * @param {Rules} rules
 * @param {number} seats
 * @param {number} dealer
 * @param {readonly string[]} cards
 * @returns {Layout} */
export function layOut(game, rules, seats, dealer, cards) {
  const none = { monte: [], upcard: null, stock: [] };
  if (game === "bassadewitz") {
    return { ...none, hands: oneByOne(cards, dealer, seats, Math.floor(32 / seats)) };
  }
  if (game === "smear") {
    const order = Array.from({ length: seats }, (_, place) => (dealer + 1 + place) % seats);
    return { ...none, hands: packets(cards, order, seats, 3, 2) };
  }
  if (game === "calabresella") {
    const step = option(rules, "direction", "cw") === "cw" ? 1 : -1;
    // Forehand is the dealer's right neighbour; with four seats the dealer sits out.
    const order = Array.from({ length: seats }, (_, place) => (((dealer - 1 + step * place) % seats) + seats) % seats);
    const players = order.filter((seat) => seats === 3 || seat !== dealer);
    return { ...none, hands: packets(cards, players, seats, 4, 3), monte: cards.slice(36) };
  }
  const size = Number(option(rules, "cards", 15));
  const used = size * seats;
  return {
    hands: oneByOne(cards, dealer, seats, size),
    monte: [],
    upcard: cards[used],
    stock: cards.slice(used + 1),
  };
}

/** The piles that were reshuffled in a deal of Kaluki, each without its top card, from the bottom up: the
 * stock and the discard pile are followed through the actions, with each new stock as it is recorded.
 * @param {string} upcard
 * @param {readonly string[]} stock
 * @param {readonly string[]} actions
 * @param {readonly string[][]} reshuffles the new stocks
 * @returns {string[][]} */
export function reshuffledPiles(upcard, stock, actions, reshuffles) {
  let pile = [upcard];
  let left = stock.length;
  /** @type {string[][]} */
  const piles = [];
  for (const action of actions) {
    const [, verb, card] = action.split(" ");
    if (verb === "draw") {
      if (!left && piles.length < reshuffles.length) {
        piles.push(pile.slice(0, -1));
        left = pile.length - 1;
        pile = pile.slice(-1);
      }
      left -= 1;
    } else if (verb === "take") {
      pile = pile.slice(0, -1);
    } else if (verb === "discard") {
      pile = [...pile, card];
    }
  }
  return piles;
}
