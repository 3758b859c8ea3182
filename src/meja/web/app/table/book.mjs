// @ts-check
// The rules of this table, opened at the rule that was asked for.
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../dialog.mjs";
import { html } from "../html.mjs";
import { get } from "../net.mjs";
import { lang, t } from "../words.mjs";

/** @typedef {import("../../types.d.ts").Book} Book */

/** @param {{table: string, rule: string, onClose: () => void, title: string}} props `rule` "": from the top */
export function BookDialog({ table, rule, onClose, title }) {
  const [book, setBook] = useState(/** @type {Book | null} */ (null));
  const [failed, setFailed] = useState("");
  const body = useRef(/** @type {HTMLDivElement | null} */ (null));
  const language = lang.value;
  useEffect(() => {
    get(`/api/tables/${encodeURIComponent(table)}/book`).then(setBook, (error) => setFailed(error.text));
  }, [language, table]);
  useEffect(() => {
    if (!book || !body.current) return;
    for (const old of body.current.querySelectorAll("[data-found]")) old.removeAttribute("data-found");
    const found = rule ? /** @type {HTMLElement | null} */ (body.current.querySelector(`[id="${CSS.escape(rule)}"]`)) : null;
    if (found) {
      found.setAttribute("data-found", "");
      found.tabIndex = -1;
      found.scrollIntoView({ block: "center" });
      found.focus({ preventScroll: true });
    }
  }, [book, rule]);
  return html`<${Dialog} onClose=${onClose} title=${title} class="book-dialog">
    ${failed && html`<p class="failed">${failed}</p>`}
    ${!book && !failed && html`<p class="quiet">${t("Loading …")}</p>`}
    ${book &&
    html`<nav class="book-sections" aria-label=${t("Sections")}>
        ${book.sections.map(
          ({ id, title: name }) => html`<button
            type="button"
            key=${id}
            onClick=${() => body.current?.querySelector(`[id="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "start" })}
          >
            ${name}
          </button>`,
        )}
      </nav>
      <div class="book" ref=${body} tabindex="0" role="group" aria-label=${title} dangerouslySetInnerHTML=${{ __html: book.html }} />`}
  <//>`;
}
