// @ts-check
// The choices of a form: one of a few, and on or off.
import { useId } from "preact/hooks";
import { html } from "./html.mjs";

/** One of a few.
 * @param {{ title: any, name: string, value: any, choices: { value: any, text: any }[], help?: string,
 *   onChange: (value: any) => void }} props */
export function Segments({ title, name, value, choices, help, onChange }) {
  const id = useId();
  return html`<fieldset class="stack" aria-describedby=${help ? id : undefined}>
    <legend class="legend">${title}</legend>
    <div class="segments">
      ${choices.map(
        (choice) => html`<label key=${choice.value}>
          <input
            type="radio"
            name=${name}
            value=${`${choice.value}`}
            checked=${choice.value === value}
            onChange=${() => onChange(choice.value)}
          />
          <span>${choice.text}</span>
        </label>`,
      )}
    </div>
    ${help && html`<p class="muted" id=${id}>${help}</p>`}
  </fieldset>`;
}

/** On or off.
 * @param {{ title: string, help?: string, value: boolean, onChange: (value: boolean) => void }} props */
export function Switch({ title, help, value, onChange }) {
  const id = useId();
  return html`<div class="switch">
    <label for=${id}>${title}</label>
    <input
      id=${id}
      type="checkbox"
      role="switch"
      checked=${value}
      aria-describedby=${help ? `${id}-help` : undefined}
      onChange=${(/** @type {any} */ event) => onChange(event.target.checked)}
    />
    ${help && html`<p class="muted" id=${`${id}-help`}>${help}</p>`}
  </div>`;
}
