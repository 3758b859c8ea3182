// @ts-check
// Cards and melds as texts: what a group of cards could be, and what it counts. The server alone says what is legal.

/** @typedef {{ ace: number, lowAce: number }} Values what an ace counts, and as the lowest card of a run */

const RANKS = "23456789TJQKA";
const SUITS = "shdc";
/** The places of a run: the ace is the first and the last. */
const PLACES = "A23456789TJQKA";

/** The card that lies there: "Jk" for a joker that stands for something.
 * @param {string} word */
export function physical(word) {
  return word.startsWith("Jk") ? "Jk" : word;
}

/** What a card is or stands for: "9h", in a set "9"; "Jk" where nothing is said.
 * @param {string} word */
export function standsFor(word) {
  return word.startsWith("Jk=") ? word.slice(3) : word;
}

/** @param {string} card */
export function rankOf(card) {
  return RANKS.indexOf(card[0]);
}

/** @param {string} card */
export function suitOf(card) {
  return SUITS.indexOf(card[1]);
}

/** @param {string} card */
export function isJoker(card) {
  return card.startsWith("Jk");
}

/** Whether two groups hold the same cards, in any order.
 * @param {readonly string[]} one
 * @param {readonly string[]} other */
export function sameCards(one, other) {
  return one.length === other.length && [...one].sort().join() === [...other].sort().join();
}

/** `cards` without `gone`, each taken out once; `null` if one is not there.
 * @param {readonly string[]} cards
 * @param {readonly string[]} gone
 * @returns {string[] | null} */
export function without(cards, gone) {
  const left = [...cards];
  for (const card of gone) {
    const place = left.indexOf(card);
    if (place < 0) {
      return null;
    }
    left.splice(place, 1);
  }
  return left;
}

/** Whether a meld is a run: its cards follow each other in one suit.
 * @param {readonly string[]} meld */
export function isRun(meld) {
  return new Set(meld.map((word) => standsFor(word)[0])).size > 1;
}

/** @param {string} rank
 * @param {Values} values */
function rankPoints(rank, values) {
  if (rank === "A") {
    return values.ace;
  }
  return "TJQK".includes(rank) ? 10 : Number(rank);
}

/** What a meld counts on the table.
 * @param {readonly string[]} meld with every joker said
 * @param {Values} values */
export function meldPoints(meld, values) {
  const ranks = meld.map((word) => standsFor(word)[0]);
  const low = ranks[0] === "A" && ranks[1] === "2" ? values.lowAce - values.ace : 0;
  return ranks.reduce((sum, rank) => sum + rankPoints(rank, values), low);
}

/** What the natural cards of a group count.
 * @param {readonly string[]} cards
 * @param {Values} values */
export function naturalPoints(cards, values) {
  return cards.filter((card) => !isJoker(card)).reduce((sum, card) => sum + rankPoints(card[0], values), 0);
}

/** Every set or run that a group of cards could be, the one that counts most first; options are not looked at.
 * @param {readonly string[]} cards
 * @param {Values} values
 * @returns {string[][]} */
export function shapes(cards, values) {
  const naturals = cards.filter((card) => !isJoker(card));
  const jokers = cards.length - naturals.length;
  if (cards.length < 3 || !naturals.length) {
    return [];
  }
  /** @type {string[][]} */
  const found = [];
  if (naturals.every((card) => card[0] === naturals[0][0])) {
    const sorted = [...naturals].sort((one, other) => suitOf(one) - suitOf(other));
    found.push([...sorted, ...Array.from({ length: jokers }, () => `Jk=${naturals[0][0]}`)]);
  }
  const suit = naturals[0][1];
  if (naturals.every((card) => card[1] === suit)) {
    for (let low = 0; low + cards.length <= PLACES.length; low++) {
      const run = runAt(low, cards.length, suit, naturals);
      if (run) {
        found.push(run);
      }
    }
  }
  return found.sort((one, other) => meldPoints(other, values) - meldPoints(one, values));
}

/** The run of that length from a place on, its gaps filled with jokers; `null` if some card has no place in it.
 * @param {number} low
 * @param {number} size
 * @param {string} suit
 * @param {readonly string[]} naturals */
function runAt(low, size, suit, naturals) {
  let left = [...naturals];
  const run = Array.from({ length: size }, () => "");
  // An ace that fits at both ends goes to the high end.
  for (let place = size - 1; place >= 0; place--) {
    const card = PLACES[low + place] + suit;
    const rest = without(left, [card]);
    run[place] = rest ? card : `Jk=${card}`;
    left = rest ?? left;
  }
  const bothEnds = size === PLACES.length - 1 && low === 0;
  return left.length || bothEnds ? null : run;
}

/** A meld with one card more, as it will lie: in a run at the end where it follows, in a set behind the naturals.
 * @param {readonly string[]} meld
 * @param {string} word
 * @returns {string[]} */
export function grown(meld, word) {
  if (!isRun(meld)) {
    return [...meld, word];
  }
  const place = (/** @type {string} */ card) => PLACES.indexOf(standsFor(card)[0]);
  return place(word) === place(meld[0]) - 1 ? [word, ...meld] : [...meld, word];
}

/** A meld with a natural card in the place of its joker.
 * @param {readonly string[]} meld
 * @param {string} card
 * @returns {string[]} */
export function swapped(meld, card) {
  const place = meld.findIndex((word) => isJoker(word) && (standsFor(word) === card || standsFor(word) === card[0]));
  return meld.map((word, index) => (index === place ? card : word));
}
