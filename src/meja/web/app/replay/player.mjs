// @ts-check
// Going through the steps of a deal: buttons, slider, keys, and by itself.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { t } from "../words.mjs";

/** How long a step is shown, in milliseconds, by speed. */
const SPEEDS = [
  { name: "0.5", time: 2800 },
  { name: "1", time: 1400 },
  { name: "2", time: 700 },
  { name: "4", time: 350 },
];

/**
 * @param {object} props
 * @param {number} props.step
 * @param {number} props.last
 * @param {boolean} props.hasNext there is a deal after this one
 * @param {boolean} props.hasBefore
 * @param {boolean} props.waiting the deal is on its way
 * @param {(step: number) => void} props.onStep
 * @param {(by: 1 | -1) => void} props.onDeal
 */
export function Player({ step, last, hasNext, hasBefore, waiting, onStep, onDeal }) {
  const [plays, setPlays] = useState(false);
  const [speed, setSpeed] = useState("1");

  useEffect(() => {
    if (!plays || waiting) {
      return undefined;
    }
    if (step >= last && !hasNext) {
      setPlays(false);
      return undefined;
    }
    const { time } = SPEEDS.find(({ name }) => name === speed) ?? SPEEDS[1];
    // The end of a deal is looked at a little longer.
    const timer = setTimeout(() => (step < last ? onStep(step + 1) : onDeal(1)), step < last ? time : time * 3);
    return () => clearTimeout(timer);
  }, [plays, speed, step, last, hasNext, waiting]);

  /** @param {number} to */
  const go = (to) => {
    setPlays(false);
    onStep(Math.max(0, Math.min(last, to)));
  };
  const toggle = () => {
    if (!plays && step >= last && !hasNext) {
      onStep(0);
    }
    setPlays(!plays);
  };
  const press = useRef((/** @type {KeyboardEvent} */ _event) => {});
  press.current = (event) => {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => go(step - 1),
      ArrowRight: () => go(step + 1),
      Home: () => go(0),
      End: () => go(last),
      PageUp: () => hasBefore && onDeal(-1),
      PageDown: () => hasNext && onDeal(1),
      " ": toggle,
    };
    const target = event.target instanceof Element ? event.target : null;
    const busy = target?.closest("input, textarea, select, dialog, [contenteditable]");
    const button = event.key === " " && target?.closest("button, a, summary");
    if (busy || button || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !Object.hasOwn(keys, event.key)) {
      return;
    }
    event.preventDefault();
    keys[event.key]();
  };
  // With the drawing, not after it: keys count as soon as there is something to see.
  useLayoutEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => press.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  return html`<div class="player" role="group" aria-label=${t("Steps")}>
    <div class="player-buttons">
      <button type="button" class="icon-button" aria-label=${t("First step")} disabled=${step === 0} onClick=${() => go(0)}><${Edge} /></button>
      <button type="button" class="icon-button" aria-label=${t("One step back")} disabled=${step === 0} onClick=${() => go(step - 1)}>
        <${Icon} name="back" />
      </button>
      <button type="button" class="icon-button player-play" aria-label=${plays ? t("Pause") : t("Play")} onClick=${toggle}>
        <${Icon} name=${plays ? "pause" : "play"} />
      </button>
      <button type="button" class="icon-button" aria-label=${t("One step on")} disabled=${step === last} onClick=${() => go(step + 1)}>
        <${Icon} name="next" />
      </button>
      <button type="button" class="icon-button player-last" aria-label=${t("Last step")} disabled=${step === last} onClick=${() => go(last)}>
        <${Edge} />
      </button>
    </div>
    <input
      type="range"
      class="player-slider"
      min="0"
      max=${last}
      value=${step}
      aria-label=${t("Step")}
      aria-valuetext=${t("Step {step} of {last}", { step, last })}
      onInput=${(/** @type {InputEvent} */ event) => go(Number(/** @type {HTMLInputElement} */ (event.currentTarget).value))}
    />
    <output class="player-count" aria-hidden="true">${step} / ${last}</output>
    <label class="player-speed">
      <span class="visually-hidden">${t("Speed")}</span>
      <select value=${speed} onChange=${(/** @type {Event} */ event) => setSpeed(/** @type {HTMLSelectElement} */ (event.currentTarget).value)}>
        ${SPEEDS.map(({ name }) => html`<option value=${name} key=${name}>${name}×</option>`)}
      </select>
    </label>
  </div>`;
}

/** To the very first, or turned round by style to the very last. */
function Edge() {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M17 5l-7 7 7 7M7 5v14" /></svg>`;
}
