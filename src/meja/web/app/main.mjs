// @ts-check
// The start of the app: the words, the bar, and the page that the address names.
import { render } from "preact";
import { useEffect, useErrorBoundary, useLayoutEffect, useState } from "preact/hooks";
import { Foot, TopBar } from "./bar.mjs";
import { DialogHost } from "./dialog.mjs";
import { followGames } from "./games.mjs";
import { html } from "./html.mjs";
import { Icon } from "./icons.mjs";
import { loadMe } from "./me.mjs";
import { Home } from "./pages/home.mjs";
import { NotFound } from "./pages/notfound.mjs";
import { newBuild } from "./request.mjs";
import { place } from "./router.mjs";
import { ToastHost } from "./toast.mjs";
import { BASE, t, wordsReady } from "./words.mjs";

/** @typedef {() => Promise<{ default: any }>} Load */
/** `whole`: without bar and foot.
 * @typedef {{ path: RegExp, load?: Load, page?: any, styles?: string[], whole?: boolean }} Route */

const PAGES = ["pages"];
/** @type {Route[]} */
const ROUTES = [
  { path: /^\/$/, page: Home },
  { path: /^\/new\/(?<game>[a-z]+)$/, load: () => import("./pages/newtable.mjs") },
  { path: /^\/t\/(?<id>[a-z0-9]+)$/, load: () => import("./table/page.mjs"), styles: ["table", "kaluki"], whole: true },
  { path: /^\/rules\/(?<game>[a-z]+)$/, load: () => import("./pages/rules.mjs") },
  { path: /^\/tables$/, load: () => import("./pages/tables.mjs") },
  { path: /^\/mine$/, load: () => import("./pages/mine.mjs") },
  { path: /^\/replay$/, load: () => import("./replay/page.mjs"), styles: ["pages", "table", "kaluki", "replay"] },
  { path: /^\/verify$/, load: () => import("./replay/verify.mjs"), styles: ["pages", "replay"] },
  { path: /^\/settings$/, load: () => import("./pages/settings.mjs") },
  { path: /^\/recover$/, load: () => import("./pages/recover.mjs") },
  { path: /^\/about$/, load: () => import("./pages/about.mjs") },
];

/** Where no page is. @type {Route} */
const NOWHERE = { path: /^/, page: NotFound };

/** The style sheets beside base.css that the page shown has. The others keep quiet: two pages may use one name. */
let worn = ["pages"];

/** @param {string[]} names */
function wear(names) {
  worn = names;
  for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[data-style]"))) {
    link.media = names.includes(link.dataset.style ?? "") ? "all" : "not all";
  }
}

/** @type {Map<string, Promise<void>>} */
const styles = new Map([["pages", Promise.resolve()]]);

/** Load a style sheet, once. @param {string} name @returns {Promise<void>} */
function style(name) {
  const known = styles.get(name);
  if (known) return known;
  const added = /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.dataset.style = name;
      link.media = worn.includes(name) ? "all" : "not all";
      link.href = `${BASE}style/${name}.css`;
      link.onload = () => resolve();
      link.onerror = () => {
        styles.delete(name);
        link.remove();
        reject(new Error(name));
      };
      document.head.append(link);
    })
  );
  styles.set(name, added);
  return added;
}

/** Route -> its page, as far as loaded. @type {Map<Route, any>} */
const pages = new Map();

/** @param {Route} route @returns {Promise<any>} */
async function pageOf(route) {
  if (!pages.has(route)) {
    const [loaded] = await Promise.all([route.load?.(), ...(route.styles ?? PAGES).map(style)]);
    pages.set(route, loaded?.default);
  }
  return pages.get(route);
}

function App() {
  const { path } = place.value;
  const route = ROUTES.find((one) => one.path.test(path)) ?? NOWHERE;
  const params = route.path.exec(path)?.groups ?? {};
  return html`
    ${!route.whole && html`<${TopBar} />`}
    ${newBuild.value && html`<${NewBuild} />`}
    <${Loaded} key=${path} route=${route} params=${params} />
    ${!route.whole && html`<${Foot} />`}
    <${DialogHost} /><${ToastHost} />
  `;
}

/** @param {{ route: Route, params: Record<string, string> }} props */
function Loaded({ route, params }) {
  const [, setTried] = useState(0);
  const [broken, setBroken] = useState(false);
  // A fault in one page leaves the bar and the way to the others.
  const [fault] = useErrorBoundary((error) => reportError(error));
  const page = route.page ?? pages.get(route);
  useLayoutEffect(() => {
    if (page) wear(route.styles ?? PAGES);
  }, [page]);
  useEffect(() => {
    if (page) return;
    pageOf(route).then(
      () => setTried((tried) => tried + 1),
      () => setBroken(true),
    );
  }, [route]);
  if (fault) return html`<${Trouble} text=${t("Something went wrong on this page.")} />`;
  if (page) return html`<${page} ...${params} />`;
  if (!broken) {
    return html`<main class="page" aria-busy="true"><p class="visually-hidden">${t("Loading…")}</p></main>`;
  }
  // The server may have a new build, which has other files.
  return html`<${Trouble}
    text=${t("This page could not be loaded. The connection may be gone, or there is a new version.")}
  />`;
}

/** @param {{ text: string }} props */
function Trouble({ text }) {
  return html`<main class="page">
    <div class="note error" role="alert">
      <${Icon} name="warning" />
      <div class="stack">
        <p>${text}</p>
        <p>
          <button
            type="button"
            class="button small"
            onClick=${() => location.reload()}
          >
            <${Icon} name="refresh" />${t("Load again")}
          </button>
        </p>
      </div>
    </div>
  </main>`;
}

function NewBuild() {
  return html`<div class="new-build" role="status">
    <span>${t("There is a new version of Meja.")}</span>
    <button type="button" class="button small" onClick=${() => location.reload()}>${t("Load it")}</button>
  </div>`;
}

/** Have the table at hand before somebody sits down. */
function warmUp() {
  const table = ROUTES.find((route) => route.whole);
  if (table) pageOf(table).catch(() => {});
}

// The first answer of each is asked for while the words are on their way.
loadMe().catch(() => {});
followGames();
await wordsReady;
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
if (place.value.path === "/") {
  const idle =
    /** @type {any} */ (window).requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 1500));
  addEventListener("load", () => idle(warmUp));
  if (document.readyState === "complete") idle(warmUp);
}
