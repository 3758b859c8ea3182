// @ts-check
// The keyboard of the table of Kaluki. The page keeps h t l s w r and ? for its questions; letters and digits that are
// ranks find the next such card, with Shift the letters of the suits.

import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../words.mjs";

/** @typedef {{
 *   draw: () => void, take: () => void, lay: () => void, discard: () => void, find: () => void, best: () => void,
 *   sort: () => void, look: () => void, undo: () => void, clear: () => void, enter: () => void,
 *   seek: (fits: (card: string) => boolean) => boolean,
 * }} Deeds */

/** @type {Record<string, Exclude<keyof Deeds, "seek">>} */
const LETTERS = {
  n: "draw", p: "take", m: "lay", d: "discard", f: "find", b: "best", o: "sort", v: "look", u: "undo", c: "clear", Escape: "clear",
};

/** What the help of the page lists: the key and what it does.
 * @returns {[string, string][]} */
export function keys() {
  return [
    ["← → ↑ ↓", t("Go from card to card")],
    ["Space", t("Choose the card, or put it back down")],
    ["Shift + ← →", t("Move the card within the hand")],
    ["n", t("Draw a new card from the stock")],
    ["p", t("Pick up the top of the discard pile")],
    ["m", t("Lay the chosen cards as a meld, or open")],
    ["f", t("Find the melds that the chosen card fits; Enter puts it there")],
    ["d", t("Discard the chosen card")],
    ["b", t("Choose the best meld in the hand")],
    ["o", t("Sort by suit, by rank, melds first")],
    ["v", t("View the discard pile")],
    ["u", t("Take back")],
    ["c", t("Put all cards back down")],
  ];
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof Element && Boolean(target.closest("input, textarea, select, dialog, [contenteditable]"));
}

/** @param {{ current: HTMLElement | null }} root
 * @param {Deeds} deeds */
export function useKeys(root, deeds) {
  const now = useRef(deeds);
  now.current = deeds;
  useLayoutEffect(() => {
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!plain || event.defaultPrevented || event.repeat || isTyping(event.target) || document.querySelector("dialog[open]")) {
        return;
      }
      const deed = event.shiftKey ? undefined : LETTERS[event.key];
      const inHand = event.target instanceof Element && root.current?.contains(event.target) && event.target.closest(".kaluki-hand");
      if (deed) {
        now.current[deed]();
      } else if (event.key === "Enter" && inHand) {
        now.current.enter();
      } else if (!seeks(event, now.current.seek)) {
        return;
      }
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** @param {KeyboardEvent} event
 * @param {Deeds["seek"]} seek */
function seeks(event, seek) {
  const typed = event.key.toUpperCase();
  if (typed.length !== 1) {
    return false;
  }
  if (event.shiftKey) {
    return "SHDC".includes(typed) && seek((card) => card[1] === typed.toLowerCase());
  }
  const rank = typed === "0" || typed === "1" ? "T" : typed;
  return "23456789AKQJ".includes(rank) || rank === "T" && typed !== "T" ? seek((card) => card[0] === rank && !card.startsWith("Jk")) : false;
}
