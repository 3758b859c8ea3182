// @ts-check
// What a person has chosen for this browser: one signal per setting, kept in local storage.
import { effect, signal } from "@preact/signals";

const PLACE = "meja.settings";

/** Where storage is blocked the choices last as long as the page.
 * @param {string} place @returns {any} */
export function recall(place) {
  try {
    return JSON.parse(localStorage.getItem(place) || "null");
  } catch {
    return null;
  }
}

/** @param {string} place @param {unknown} value */
export function keep(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // Blocked or full: see recall.
  }
}

/** Setting -> the values it may have, the default first. */
const CHOICES = {
  /** Empty: as the server says. */
  lang: ["", "en", "id"],
  theme: ["auto", "light", "dark"],
  deck: ["french", "four-colour"],
  largeCards: [false, true],
  speed: ["normal", "slow", "fast", "off"],
  /** Play at the first tap, or lift the card first. */
  oneTap: [false, true],
  /** A finished trick stays until a tap, or until its time is up. */
  trickWait: ["time", "tap"],
  /** Cards that are the only choice play themselves. */
  forced: [true, false],
  sound: [true, false],
  notify: [false, true],
};

/**
 * @typedef {{
 *   lang: import("@preact/signals").Signal<"" | "en" | "id">,
 *   theme: import("@preact/signals").Signal<"auto" | "light" | "dark">,
 *   deck: import("@preact/signals").Signal<"french" | "four-colour">,
 *   largeCards: import("@preact/signals").Signal<boolean>,
 *   speed: import("@preact/signals").Signal<"normal" | "slow" | "fast" | "off">,
 *   oneTap: import("@preact/signals").Signal<boolean>,
 *   trickWait: import("@preact/signals").Signal<"time" | "tap">,
 *   forced: import("@preact/signals").Signal<boolean>,
 *   sound: import("@preact/signals").Signal<boolean>,
 *   notify: import("@preact/signals").Signal<boolean>,
 * }} Settings
 */

/** @type {any} */
const made = {};
for (const [name, values] of Object.entries(CHOICES)) made[name] = signal(values[0]);
/** Every setting as a signal: `settings.speed.value`. @type {Settings} */
export const settings = made;

/** @param {any} stored */
function take(stored) {
  for (const [name, values] of Object.entries(CHOICES)) {
    /** @type {any[]} */
    const allowed = values;
    if (stored && allowed.includes(stored[name])) made[name].value = stored[name];
  }
}

take(recall(PLACE));
let first = true;
effect(() => {
  const values = Object.fromEntries(Object.keys(CHOICES).map((name) => [name, made[name].value]));
  // Only a change is written, so that a visitor who chooses nothing leaves nothing.
  if (!first) keep(PLACE, values);
  first = false;
});
effect(() => /** @type {any} */ (window).applyTheme?.(settings.theme.value));
addEventListener("storage", (event) => {
  if (event.key === PLACE) take(recall(PLACE));
});
