// @ts-check
// Who sits at this browser.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Dialog, openDialog } from "./dialog.mjs";
import { html } from "./html.mjs";
import { Icon } from "./icons.mjs";
import { ApiError, get, post } from "./request.mjs";
import { toast } from "./toast.mjs";
import { t } from "./words.mjs";

/** @typedef {import("../types.d.ts").Person} Person */
/** @typedef {import("../types.d.ts").Me} Me */

/** The person; `undefined` as long as that is not known.
 * @type {import("@preact/signals").Signal<Person | null | undefined>} */
export const person = signal(undefined);
/** What the server says of itself. @type {import("@preact/signals").Signal<Me | null>} */
export const server = signal(null);

/** @param {Me} me @returns {Person | null} */
function take(me) {
  server.value = me;
  person.value = me.person;
  return me.person;
}

/** Ask the server who we are. @returns {Promise<Person | null>} */
export async function loadMe() {
  return take(await get("/api/me"));
}

/** @param {string} name @returns {Promise<Person>} */
export async function setName(name) {
  return /** @type {Person} */ (take(await post("/api/me", { name }, { again: true })));
}

/** The person, made with a common name where there is none: nobody is asked before the first card.
 * @returns {Promise<Person>} */
export async function ensurePerson() {
  if (person.value) return person.value;
  return (await loadMe()) || setName(t("Guest"));
}

/** Whether the person has chosen a name. */
export function named() {
  return Boolean(person.value && !["Guest", "Tamu"].includes(person.value.name));
}

/** Use the code of another browser here. @param {string} code @returns {Promise<Person | null>} */
export async function recover(code) {
  return take(await post("/api/me/recover", { code }));
}

/** This browser forgets the person. */
export async function leave() {
  await post("/api/me/leave", {}, { again: true });
  person.value = null;
}

const LONGEST = 24;

/** Ask for the name.
 * @param {{ title?: string, text?: string, button?: string }} [words]
 * @returns {Promise<Person | undefined>} */
export function askName({
  title = t("Your name"),
  text = t("The others at the table see this name."),
  button = t("Save"),
} = {}) {
  return openDialog((close) => html`<${NameDialog} title=${title} text=${text} button=${button} close=${close} />`);
}

/** @param {{ title: string, text: string, button: string, close: (person?: Person) => void }} props */
function NameDialog({ title, text, button, close }) {
  const [name, setText] = useState(named() ? (person.value?.name ?? "") : "");
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  /** @param {Event} event */
  const save = async (event) => {
    event.preventDefault();
    if (!name.trim()) {
      setFault(t("Please type a name."));
      return;
    }
    setBusy(true);
    try {
      close(await setName(name.trim()));
    } catch (error) {
      setFault(error instanceof ApiError ? error.text : `${error}`);
      setBusy(false);
    }
  };
  return html`<${Dialog} title=${title} onClose=${() => close()}>
    <form class="stack" onSubmit=${save}>
      <div class="field">
        <label for="your-name">${t("Name")}</label>
        <input
          id="your-name"
          type="text"
          data-focus
          autocomplete="nickname"
          maxlength=${LONGEST}
          value=${name}
          aria-describedby="your-name-help"
          aria-invalid=${fault ? "true" : undefined}
          onInput=${(/** @type {any} */ event) => setText(event.target.value)}
        />
        <p
          id="your-name-help"
          class=${fault ? "fault" : "help"}
          role=${fault ? "alert" : undefined}
        >
          ${fault || text}
        </p>
      </div>
      <div class="actions">
        <button type="button" class="button" onClick=${() => close()}>${t("Cancel")}</button>
        <button type="submit" class="button primary" disabled=${busy} aria-busy=${busy}>${button}</button>
      </div>
    </form>
  <//>`;
}

/** Show a recovery code, which brings this person to another browser. */
export function showRecovery() {
  return openDialog((close) => html`<${RecoveryDialog} close=${close} />`);
}

/** @param {{ close: () => void }} props */
function RecoveryDialog({ close }) {
  const [code, setCode] = useState("");
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    setFault("");
    try {
      await ensurePerson();
      setCode((await post("/api/me/recovery")).code);
    } catch (error) {
      setFault(error instanceof ApiError ? error.text : `${error}`);
    }
    setBusy(false);
  };
  const link = `${location.origin}/recover#${code}`;
  return html`<${Dialog} title=${t("Play on another device")} onClose=${() => close()}>
    <p>
      ${t("A code moves you, your name and your seats to another browser. Whoever has the code is you, so show it to nobody.")}
    </p>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
    ${
      code
        ? html`<p class="code" aria-label=${t("Your code")}>${code}</p>
          <p>${t("Write it down: it is shown only once. A new code makes this one useless.")}</p>
          <div class="actions">
            <${CopyButton} text=${code} label=${t("Copy the code")} />
            <${CopyButton} text=${link} label=${t("Copy the link")} />
          </div>`
        : html`<div class="actions">
          <button type="button" class="button" onClick=${() => close()}>${t("Cancel")}</button>
          <button
            type="button"
            class="button primary"
            data-focus
            disabled=${busy}
            aria-busy=${busy}
            onClick=${make}
          >
            ${t("Make a code")}
          </button>
        </div>`
    }
  <//>`;
}

/** Puts a text on the clipboard. @param {{ text: string, label: string }} props */
export function CopyButton({ text, label }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    if (await toClipboard(text)) {
      setDone(true);
      setTimeout(() => setDone(false), 3000);
    } else {
      toast(t("The browser does not allow copying. Select the text and copy it yourself."), { kind: "error" });
    }
  };
  return html`<button type="button" class="button" onClick=${copy}>
    <${Icon} name=${done ? "check" : "copy"} /><span aria-live="polite">${done ? t("Copied") : label}</span>
  </button>`;
}

/** @param {string} text @returns {Promise<boolean>} */
export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https the clipboard is closed, but a selected field can still be copied.
    const field = document.createElement("textarea");
    field.value = text;
    (document.querySelector("dialog[open]") || document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
