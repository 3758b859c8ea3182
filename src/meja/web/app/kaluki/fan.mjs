// @ts-check
// Where the cards of a hand lie: in as few rows as leave every card's corner to be read and hit.

/** @typedef {{ x: number, y: number, row: number }} Spot */
/** @typedef {{ spots: Spot[], step: number, height: number }} Fan */

/** The least of a card that stays uncovered beside its neighbour. */
const LEAST_STEP = 26;
/** How much of a card stays uncovered below by the row in front of it, as a part of its height. */
const ROW_STEP = 0.6;
const GROUP_GAP = 0.22;

/** The size of the cards of a hand on a screen of that size.
 * @param {number} width
 * @param {number} screenHeight
 * @param {boolean} large */
export function cardWidth(width, screenHeight, large) {
  const most = large ? 132 : 104;
  return Math.round(Math.max(46, Math.min(most, (width / 6.6) * (large ? 1.15 : 1), screenHeight * (large ? 0.14 : 0.115))));
}

/** @param {number} count how many cards
 * @param {number} width of the room for them
 * @param {number} card the width of one
 * @param {ReadonlySet<number>} breaks the places at which a new group begins
 * @returns {Fan} */
export function fan(count, width, card, breaks) {
  const least = Math.max(LEAST_STEP, card * 0.36);
  const most = Math.max(1, Math.floor((width - card) / least) + 1);
  const rows = Math.max(1, Math.ceil(count / most));
  const tall = Math.round(card * 1.4);
  /** @type {Spot[]} */
  const spots = [];
  let step = 0;
  for (let row = 0, first = 0; row < rows; row++) {
    const size = Math.ceil((count - first) / (rows - row));
    const places = Array.from({ length: size }, (_, place) => first + place);
    const gaps = places.filter((place) => place > first && breaks.has(place)).length;
    const room = width - card;
    // Groups are kept apart where that takes nothing from the corner of a card.
    const gap = size > 1 && room - gaps * card * GROUP_GAP >= (size - 1) * least ? card * GROUP_GAP : 0;
    step = size > 1 ? Math.min((room - gaps * gap) / (size - 1), card * 1.04) : 0;
    const used = step * (size - 1) + gaps * gap + card;
    let x = (width - used) / 2;
    for (const place of places) {
      if (place > first) {
        x += step + (breaks.has(place) ? gap : 0);
      }
      spots.push({ x: Math.round(x), y: Math.round(row * tall * ROW_STEP), row });
    }
    first += size;
  }
  return { spots, step, height: tall + Math.round((rows - 1) * tall * ROW_STEP) };
}

/** The place before which something dropped at a point of the hand goes.
 * @param {Fan} laid
 * @param {number} card the width of one
 * @param {number} x
 * @param {number} y */
export function placeAt(laid, card, x, y) {
  const { spots } = laid;
  if (!spots.length) {
    return 0;
  }
  const rows = spots[spots.length - 1].row + 1;
  const rowStep = card * 1.4 * ROW_STEP;
  const row = Math.max(0, Math.min(rows - 1, Math.floor(y / rowStep)));
  const first = spots.findIndex((spot) => spot.row === row);
  const after = spots.findIndex((spot) => spot.row > row);
  const end = after < 0 ? spots.length : after;
  for (let place = first; place < end; place++) {
    const next = place + 1 < end ? spots[place + 1].x : spots[place].x + card;
    if (x < (spots[place].x + next) / 2) {
      return place;
    }
  }
  return end;
}
