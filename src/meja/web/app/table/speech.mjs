// @ts-check
// What a screen reader is told. The three regions stand in the page from the beginning and are never made anew;
// only their text changes: a region that is replaced falls silent.
import { useEffect, useRef } from "preact/hooks";
import { html } from "../html.mjs";
import { lang } from "../words.mjs";

/** @typedef {{log: (text: string) => void, answer: (text: string) => void, turn: (text: string) => void}} Voice */

/** How long sentences that come one after the other are gathered before they are read as one. */
const GATHER = 250;

/** @param {{voice: {current: Voice | null}}} props */
export function Speech({ voice }) {
  const log = useRef(/** @type {HTMLElement | null} */ (null));
  const answer = useRef(/** @type {HTMLElement | null} */ (null));
  const turn = useRef(/** @type {HTMLElement | null} */ (null));
  const spoken = lang.value;
  useEffect(() => {
    /** @type {string[]} */
    let gathered = [];
    let timer = 0;
    voice.current = {
      log(text) {
        gathered.push(text);
        clearTimeout(timer);
        timer = window.setTimeout(() => {
          put(log.current, gathered.join(" "));
          gathered = [];
        }, GATHER);
      },
      answer: (text) => put(answer.current, text),
      turn: (text) => put(turn.current, text),
    };
    return () => {
      clearTimeout(timer);
      voice.current = null;
    };
  }, []);
  const before = useRef(spoken);
  useEffect(() => {
    if (before.current === spoken) return;
    before.current = spoken;
    // What was said in the language before would be read with the voice of the new one.
    for (const { current } of [log, answer, turn]) put(current, "");
  }, [spoken]);
  return html`<div class="visually-hidden">
    <div id="say-log" role="log" aria-live="polite" ref=${log}></div>
    <div id="say-answer" role="status" aria-live="polite" ref=${answer}></div>
    <div id="say-turn" role="alert" aria-live="assertive" ref=${turn}></div>
  </div>`;
}

/** The same words twice are read twice only if the text differs. @param {HTMLElement | null} region @param {string} text */
function put(region, text) {
  if (!region) return;
  region.textContent = text && region.textContent === text ? `${text}\u00a0` : text;
}
