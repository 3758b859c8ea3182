// @ts-check
// The frame of a page: its title and its heading, which gets the focus when the page is come to.
import { useEffect, useRef } from "preact/hooks";
import { html } from "./html.mjs";
import { visits } from "./router.mjs";

/** @param {{ title: string, heading?: any, class?: string, children?: any }} props `title` also names the window */
export function Page({ title, heading = title, class: more = "", children }) {
  /** @type {{ current: HTMLElement | null }} */
  const place = useRef(null);
  useEffect(() => {
    document.title = title === "Meja" ? title : `${title} · Meja`;
  }, [title]);
  useEffect(() => {
    if (visits.value) place.current?.focus({ preventScroll: true });
  }, []);
  return html`<main class=${`page ${more}`}>
    <h1 ref=${place} tabindex="-1">${heading}</h1>
    ${children}
  </main>`;
}
