// @ts-check
// The keyboard is never nowhere: where nothing has the focus, it goes to the own hand.

import { useLayoutEffect, useRef } from "preact/hooks";

const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);

/** Whether the last thing that was used is a mouse or a finger: then the ring of a focus that came by itself is left out. */
let pointed = false;

window.addEventListener("keydown", () => mark(false), true);
window.addEventListener("pointerdown", () => mark(true), true);

/** @param {boolean} pointer */
function mark(pointer) {
  pointed = pointer;
  document.documentElement.toggleAttribute("data-pointed", pointer);
}

/** Nothing has the focus, and nothing lies over the table. */
function nowhere() {
  const at = document.activeElement;
  return (!at || at === document.body) && !document.querySelector("dialog[open], .pause");
}

/**
 * Gives the focus to the first choice when one is asked for, where it is on the hand or nowhere.
 *
 * @param {{current: HTMLElement | null}} box where the choices are
 * @param {string} asked what is asked, another text for every question; empty where nothing is
 */
export function useChoiceFocus(box, asked) {
  const before = useRef("");
  useLayoutEffect(() => {
    if (!asked) before.current = "";
    if (!asked || before.current === asked) return;
    if (!nowhere() && !document.activeElement?.matches(".hand-card")) return;
    before.current = asked;
    /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector("button:not([data-may-not])"))?.focus({ preventScroll: true });
  });
}

/**
 * Gives the focus to the hand when the own turn comes, and to who plays by keys also when what had the focus is gone.
 *
 * @param {{current: HTMLElement | null}} box where the hand is
 * @param {boolean} turn it is the own turn
 * @param {string} card the selector of the card that is to get the focus
 * @param {string} [better] the selector of those that are of more use, where there are any
 */
export function useHandFocus(box, turn, card, better = card) {
  const before = useRef(false);
  /** The card that got the focus by itself. */
  const given = useRef(/** @type {Element | null} */ (null));
  const focus = useRef(() => {});
  focus.current = () => {
    const usual = /** @type {HTMLElement | null} */ (box.current?.querySelector(card) ?? null);
    const chosen = usual?.matches(better) ? usual : /** @type {HTMLElement | null} */ (box.current?.querySelector(better)) ?? usual;
    chosen?.focus({ preventScroll: true });
    given.current = chosen;
  };
  useLayoutEffect(() => {
    // A hand that is not drawn yet gets it with the next drawing.
    if (!box.current?.querySelector(card)) return;
    const came = turn && !before.current;
    before.current = turn;
    // Who has not gone on from there has not chosen that card.
    const unmoved = came && given.current !== null && document.activeElement === given.current;
    if (((came || !pointed) && nowhere()) || unmoved) focus.current();
  });
  useLayoutEffect(() => {
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (!ARROWS.has(event.key) || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || !nowhere()) return;
      event.preventDefault();
      focus.current();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
