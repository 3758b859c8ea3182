// @ts-check
// Opening a record: a file, a drop, a paste.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { failed } from "../toast.mjs";
import { t } from "../words.mjs";
import { asJson, playerOf, recordIn } from "./opened.mjs";

/** @typedef {import("./opened.mjs").Opened} Opened */

/**
 * @param {object} props
 * @param {string} props.text what the field holds at first
 * @param {string} props.action the words of the button
 * @param {(opened: Opened) => void} props.onOpen
 */
export function OpenRecord({ text, action, onOpen }) {
  const [typed, setTyped] = useState(text);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => setTyped(text), [text]);

  /** @param {Event} event */
  const pick = async (event) => {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    const file = field.files?.[0];
    if (file) {
      await openFile(file, onOpen);
    }
    // The same file can be chosen again, after it was changed.
    field.value = "";
  };

  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (typed.trim()) {
      onOpen({ text: typed, name: "record.meja", table: null });
    }
  };

  return html`<form class="record-open" onSubmit=${submit}>
    <div class="record-drop">
      <${Icon} name="upload" class="record-drop-icon" />
      <p>${t("Drop a record here, or choose a file.")}</p>
      <button type="button" class="button" onClick=${() => input.current?.click()}>${t("Choose a file")}</button>
      <input type="file" ref=${input} hidden accept=".meja,.mejal,.json,application/json" aria-label=${t("Choose a file")} onChange=${pick} />
    </div>
    <div class="field">
      <label for="record-text">${t("Or paste a record")}</label>
      <textarea
        id="record-text"
        rows="5"
        spellcheck=${false}
        autocomplete="off"
        placeholder='{"format": "meja/1", …}'
        value=${typed}
        onInput=${(/** @type {InputEvent} */ event) => setTyped(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value)}
      ></textarea>
    </div>
    <div class="actions">
      <button type="submit" class="button primary" disabled=${!typed.trim()}>${action}</button>
    </div>
  </form>`;
}

/** @param {File} file
 * @param {(opened: Opened) => void} onOpen */
async function openFile(file, onOpen) {
  try {
    onOpen(await recordIn(file));
  } catch (error) {
    failed(error);
  }
}

/** A file dropped anywhere on the page is opened. Returns whether one is held over it now.
 * @param {(opened: Opened) => void} onOpen */
export function useFileDrop(onOpen) {
  const [over, setOver] = useState(false);
  const latest = useRef(onOpen);
  latest.current = onOpen;
  useLayoutEffect(() => {
    /** @param {DragEvent} event */
    const drag = (event) => {
      if (event.dataTransfer?.types.includes("Files")) {
        event.preventDefault();
        setOver(true);
      }
    };
    /** @param {DragEvent} event */
    const leave = (event) => {
      if (!event.relatedTarget) {
        setOver(false);
      }
    };
    /** @param {DragEvent} event */
    const drop = (event) => {
      const file = event.dataTransfer?.files[0];
      setOver(false);
      if (file) {
        event.preventDefault();
        void openFile(file, latest.current);
      }
    };
    window.addEventListener("dragover", drag);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", drag);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return over;
}

/** The choice between the matches of a collection.
 * @param {{ records: string[], chosen: number, onChoose: (number: number) => void }} props */
export function RecordChoice({ records, chosen, onChoose }) {
  return records.length > 1
    ? html`<div class="field record-choice">
        <label for="record-choice">${t("This file holds {count} matches", { count: records.length })}</label>
        <select
          id="record-choice"
          value=${chosen}
          onChange=${(/** @type {Event} */ event) => onChoose(Number(/** @type {HTMLSelectElement} */ (event.currentTarget).value))}
        >
          ${records.map((text, number) => html`<option value=${number} key=${number}>${`${number + 1}. ${titleOf(text)}`}</option>`)}
        </select>
      </div>`
    : null;
}

/** What a match is called in a list.
 * @param {string} text */
function titleOf(text) {
  const found = asJson(text);
  const players = Array.isArray(found?.players) ? found.players.map((/** @type {unknown} */ name) => playerOf(String(name)).name) : [];
  return [found?.game ?? "?", players.join(", ")].join(": ");
}
