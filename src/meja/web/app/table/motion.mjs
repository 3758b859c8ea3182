// @ts-check
// How long things take, and cards that fly from one place to another.

import { settings } from "../settings.mjs";

const FACTOR = { slow: 1.7, normal: 1, fast: 0.5, off: 0 };
/** How long a finished trick stays, by speed, in milliseconds. */
const TRICK = { slow: 2400, normal: 1500, fast: 900, off: 900 };

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** The factor for the length of every animation; 0 where nothing may move. */
export function pace() {
  return still.matches ? 0 : FACTOR[speed()];
}

/** How long a finished trick stays on the table. */
export function trickTime() {
  return TRICK[speed()];
}

/** @returns {keyof typeof FACTOR} */
function speed() {
  const chosen = /** @type {keyof typeof FACTOR} */ (settings.speed.value);
  return chosen in FACTOR ? chosen : "normal";
}

/**
 * Moves an element from where `from` is to where it stands itself (FLIP). Returns when it has arrived.
 *
 * @param {Element} element
 * @param {DOMRect | null | undefined} from
 * @param {{duration?: number, delay?: number, turn?: number, fade?: boolean}} [options] `turn`: degrees at the start
 */
export async function flyIn(element, from, { duration = 320, delay = 0, turn = 0, fade = false } = {}) {
  const time = duration * pace();
  if (!time || !from?.width) return;
  const shift = between(element.getBoundingClientRect(), from);
  await animate(
    element,
    [
      { translate: shift.translate, scale: shift.scale, rotate: `${turn}deg`, ...(fade ? { opacity: 0 } : {}) },
      { translate: "0px 0px", scale: "1", rotate: "0deg", ...(fade ? { opacity: 1 } : {}) },
    ],
    { duration: time, delay: delay * pace(), easing: "cubic-bezier(.2,.75,.3,1)", fill: "backwards" },
  );
}

/**
 * Moves an element to where `to` is; it stays there until it is taken away.
 *
 * @param {Element} element
 * @param {DOMRect | null | undefined} to
 * @param {{duration?: number, delay?: number}} [options]
 */
export async function flyOut(element, to, { duration = 380, delay = 0 } = {}) {
  const time = duration * pace();
  if (!time || !to?.width) return;
  const shift = between(element.getBoundingClientRect(), to);
  await animate(
    element,
    [
      { translate: "0px 0px", scale: "1", opacity: 1 },
      { translate: shift.translate, scale: shift.scale, opacity: 0.2 },
    ],
    { duration: time, delay: delay * pace(), easing: "cubic-bezier(.5,0,.8,.5)", fill: "both" },
  );
}

/** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
async function animate(element, frames, options) {
  try {
    await element.animate(frames, options).finished;
  } catch {
    // It was cancelled, since the element is gone: there is nothing left to wait for.
  }
}

/** @param {DOMRect} own @param {DOMRect} other */
function between(own, other) {
  const x = other.left + other.width / 2 - (own.left + own.width / 2);
  const y = other.top + other.height / 2 - (own.top + own.height / 2);
  return { translate: `${x}px ${y}px`, scale: String(Math.max(0.2, other.width / (own.width || 1))) };
}
