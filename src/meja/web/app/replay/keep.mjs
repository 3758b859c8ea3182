// @ts-check
// Taking a record along: as a file, or in the clipboard.

import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { toast } from "../toast.mjs";
import { t } from "../words.mjs";

/** @param {{ text: string, name: string }} props */
export function KeepRecord({ text, name }) {
  return html`<button type="button" class="button small" onClick=${() => download(text, name)}>
      <${Icon} name="download" />${t("Download")}
    </button>
    <button type="button" class="button small" onClick=${() => copy(text)}><${Icon} name="copy" />${t("Copy")}</button>`;
}

/** @param {string} text
 * @param {string} name */
function download(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser needs the address until the download has begun.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {string} text */
async function copy(text) {
  const done = (await copyNew(text)) || copyOld(text);
  toast(done ? t("Copied.") : t("This browser does not let pages copy. Download the record instead."), { kind: done ? "plain" : "error" });
}

/** @param {string} text */
async function copyNew(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The clipboard's own interface is there only on https and localhost.
 * @param {string} text */
function copyOld(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
