// @ts-check
// Short messages at the edge of the window. They are for things that need no answer.
import { signal } from "@preact/signals";
import { html } from "./html.mjs";
import { Icon } from "./icons.mjs";
import { t } from "./words.mjs";

/** @typedef {{ text: string, run: () => void }} Action */
/** @typedef {{ id: number, text: string, kind: "plain" | "error", action?: Action }} Toast */

/** @type {import("@preact/signals").Signal<Toast[]>} */
const toasts = signal([]);
let next = 1;

/** @param {number} id */
function drop(id) {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Show a message; errors stay longer.
 * @param {string} text
 * @param {{ kind?: "plain" | "error", action?: Action, time?: number }} [options] */
export function toast(text, { kind = "plain", action, time = kind === "error" ? 10000 : 5000 } = {}) {
  const id = next;
  next += 1;
  toasts.value = [...toasts.value.filter((other) => other.text !== text).slice(-2), { id, text, kind, action }];
  setTimeout(() => drop(id), time);
}

/** Show why something failed. @param {unknown} error */
export function failed(error) {
  toast(error instanceof Error ? error.message : `${error}`, { kind: "error" });
}

/** Where messages appear; once, in main.mjs. Screen readers follow this element, so it is always there. */
export function ToastHost() {
  return html`<div class="toasts" role="status">
    ${toasts.value.map(
      ({ id, text, kind, action }) => html`<div class="toast" key=${id}>
        ${kind === "error" && html`<${Icon} name="warning" />`}
        <span>${text}</span>
        ${action &&
        html`<button
          type="button"
          class="toast-action"
          onClick=${() => {
            drop(id);
            action.run();
          }}
        >
          ${action.text}
        </button>`}
        <button
          type="button"
          class="icon-button"
          aria-label=${t("Close")}
          onClick=${() => drop(id)}
        >
          <${Icon} name="close" />
        </button>
      </div>`,
    )}
  </div>`;
}
