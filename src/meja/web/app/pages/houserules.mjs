// @ts-check
// The options of a game as a form: what each means, where the rules tell it, and what it is now.
import { useId, useState } from "preact/hooks";
import { Segments } from "../fields.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { t } from "../words.mjs";

/** @typedef {import("../../types.d.ts").Value} Value */
/** @typedef {import("../../types.d.ts").Option} Option */

/** More choices than these, or longer ones, are a list that opens. */
const SIDE_BY_SIDE = 4;
const SHORT = 14;

/** @param {{ form: import("../../types.d.ts").RulesForm, query: string, chosen: Record<string, Value>,
 *   onChange: (options: Record<string, Value>) => void }} props `query`: how the rules page is told these rules */
export function HouseRules({ form, query, chosen, onChange }) {
  const count = Object.keys(chosen).length;
  /** @param {Option} option @param {Value} value */
  const choose = (option, value) => {
    const next = { ...chosen, [option.name]: value };
    if (value === option.default) delete next[option.name];
    onChange(next);
  };
  const [open, setOpen] = useState(count > 0);
  return html`<details
    class="panel house-rules"
    open=${open}
    onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}
  >
    <summary>
      <h2>${t("House rules")}</h2>
      <span class="muted">
        ${count ? t("{n} changed", { n: count }) : t("as they are usually played")}
      </span>
    </summary>
    ${form.changed.length > 0 &&
    html`<ul class="changed">
        ${form.changed.map((line) => html`<li key=${line}>${line}</li>`)}
      </ul>
      <p>
        <button
          type="button"
          class="button small"
          onClick=${() => onChange({})}
        >
          <${Icon} name="undo" />${t("All as usual")}
        </button>
      </p>`}
    <div class="options">
      ${form.options.map((option) => {
        const value = option.name in chosen ? /** @type {Value} */ (chosen[option.name]) : option.value;
        return html`<${OptionField}
          key=${option.name}
          option=${option}
          value=${value}
          href=${`/rules/${form.game}${query}#${option.rule}`}
          onChange=${(/** @type {Value} */ next) => choose(option, next)}
        />`;
      })}
    </div>
  </details>`;
}

/** @param {{ option: Option, value: Value, href: string, onChange: (value: Value) => void }} props */
function OptionField({ option, value, href, onChange }) {
  const id = useId();
  const changed = value !== option.default;
  const help = html`<p class="help" id=${`${id}-help`}>
    ${option.help}${" "}
    <a
      href=${href}
      target="_blank"
      aria-label=${t("Rule {rule} in a new window", { rule: option.rule })}
    >
      ${option.rule}<${Icon} name="external" />
    </a>
  </p>`;
  const mark = changed && html`<span class="badge">${t("changed")}</span>`;
  if (typeof option.default === "boolean") {
    return html`<div class="option switch">
      <label for=${id}>${option.title} ${mark}</label>
      <input
        id=${id}
        type="checkbox"
        role="switch"
        checked=${value === true}
        aria-describedby=${`${id}-help`}
        onChange=${(/** @type {any} */ event) => onChange(event.target.checked)}
      />
      ${help}
    </div>`;
  }
  if (option.choices.length <= SIDE_BY_SIDE && option.choices.every(({ text }) => text.length <= SHORT)) {
    return html`<div class="option">
      <${Segments}
        title=${html`${option.title} ${mark}`}
        name=${option.name}
        value=${value}
        choices=${option.choices}
        onChange=${onChange}
      />
      ${help}
    </div>`;
  }
  return html`<div class="option field">
    <label for=${id}>${option.title} ${mark}</label>
    <select
      id=${id}
      value=${`${option.choices.findIndex((choice) => choice.value === value)}`}
      aria-describedby=${`${id}-help`}
      onChange=${(/** @type {any} */ event) => onChange(option.choices[Number(event.target.value)]?.value ?? null)}
    >
      ${option.choices.map((choice, index) => html`<option key=${index} value=${`${index}`}>${choice.text}</option>`)}
    </select>
    ${help}
  </div>`;
}
