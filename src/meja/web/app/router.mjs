// @ts-check
// Which page is shown: the address of the window, changed without loading anew.
import { signal } from "@preact/signals";
import { html } from "./html.mjs";

/** @typedef {{ path: string, search: string, hash: string }} Place */

/** @returns {Place} */
const read = () => ({ path: location.pathname, search: location.search, hash: location.hash });

/** @type {import("@preact/signals").Signal<Place>} */
export const place = signal(read());
/** How often the page was changed; 0 as long as the first is shown. */
export const visits = signal(0);

/** Show another page. @param {string} to @param {{ replace?: boolean }} [options] */
export function go(to, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", to);
  const before = place.value.path;
  place.value = read();
  if (place.value.path !== before) {
    visits.value += 1;
    scrollTo(0, 0);
  }
}

/** Change what follows the path, without a new entry in the history. @param {string} search "?a=b" or "" */
export function setSearch(search) {
  if (search !== location.search) {
    history.replaceState(null, "", location.pathname + search + location.hash);
    place.value = read();
  }
}

addEventListener("popstate", () => {
  const before = place.value.path;
  place.value = read();
  if (place.value.path !== before) visits.value += 1;
});

/** A link to a page of the app. @param {{ href: string, [attribute: string]: any }} props */
export function Link({ href, children, onClick, ...rest }) {
  /** @param {MouseEvent} event */
  const follow = (event) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    if (rest.target && rest.target !== "_self") return;
    event.preventDefault();
    go(href);
  };
  const here = href === place.value.path ? "page" : undefined;
  return html`<a href=${href} aria-current=${here} ...${rest} onClick=${follow}>${children}</a>`;
}
