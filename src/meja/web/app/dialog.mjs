// @ts-check
// Windows over the page, made of the browser's own <dialog>: it keeps the focus inside and gives it back.
import { signal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { html } from "./html.mjs";
import { Icon } from "./icons.mjs";
import { t } from "./words.mjs";

/** A window that is open as long as it is drawn.
 * @param {{ title: string, onClose: () => void, children?: any, class?: string, closable?: boolean }} props */
export function Dialog({ title, onClose, children, class: more = "", closable = true }) {
  /** @type {{ current: HTMLDialogElement | null }} */
  const place = useRef(null);
  const id = useId();
  useEffect(() => {
    const dialog = place.current;
    const before = document.activeElement;
    dialog?.showModal();
    // Where nothing asks for the focus, the heading is read first, not the close button.
    const first = dialog?.querySelector("[data-focus], [autofocus]") ?? dialog?.querySelector("h2");
    if (first instanceof HTMLElement) first.focus();
    return () => {
      dialog?.close();
      // The window is gone already, and with it the browser's knowledge of where the focus was.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  /** @param {Event} event */
  const cancel = (event) => {
    if (event.target !== place.current) return;
    event.preventDefault();
    if (closable) onClose();
  };
  /** @param {MouseEvent} event */
  const outside = (event) => {
    if (event.target === place.current && closable) onClose();
  };
  return html`<dialog
    class=${`dialog ${more}`}
    ref=${place}
    aria-labelledby=${id}
    onCancel=${cancel}
    onMouseDown=${outside}
  >
    <div class="dialog-head">
      <h2 id=${id} tabindex="-1">${title}</h2>
      ${closable &&
      html`<button
          type="button"
          class="icon-button"
          aria-label=${t("Close")}
          onClick=${onClose}
        >
          <${Icon} name="close" />
        </button>`}
    </div>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}

/** @typedef {{ id: number, draw: (close: (result?: any) => void) => any, close: (result?: any) => void }} Opened */

/** @type {import("@preact/signals").Signal<Opened[]>} */
const opened = signal([]);
let count = 0;

/** Open a window that answers: `draw` makes a Dialog and calls `close` with the answer.
 * @template T @param {(close: (result?: T) => void) => any} draw @returns {Promise<T | undefined>} */
export function openDialog(draw) {
  return new Promise((resolve) => {
    /** @type {Opened} */
    const one = {
      id: (count += 1),
      draw,
      close(result) {
        opened.value = opened.value.filter((other) => other !== one);
        resolve(result);
      },
    };
    opened.value = [...opened.value, one];
  });
}

/** Ask before something that cannot be taken back.
 * @param {{ title: string, text?: string, yes: string, no?: string, danger?: boolean }} words
 * @returns {Promise<boolean>} */
export async function confirm({ title, text, yes, no = t("Cancel"), danger = false }) {
  const answer = await openDialog(
    (close) => html`<${Dialog} title=${title} onClose=${() => close(false)}>
      ${text && html`<p>${text}</p>`}
      <div class="actions">
        <button type="button" class="button" data-focus onClick=${() => close(false)}>${no}</button>
        <button
          type="button"
          class=${`button ${danger ? "danger" : "primary"}`}
          onClick=${() => close(true)}
        >
          ${yes}
        </button>
      </div>
    <//>`,
  );
  return answer === true;
}

/** Where opened windows are drawn; once, in main.mjs. */
export function DialogHost() {
  return opened.value.map((one) => html`<${Drawn} key=${one.id} one=${one} />`);
}

/** @param {{ one: Opened }} props */
function Drawn({ one }) {
  return one.draw(one.close);
}
