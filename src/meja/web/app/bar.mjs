// @ts-check
// The bar at the top and the foot of every page but the table, which has the window to itself.
import { ORDER } from "./games.mjs";
import { html } from "./html.mjs";
import { Icon } from "./icons.mjs";
import { askName, named, person } from "./me.mjs";
import { Link } from "./router.mjs";
import { settings } from "./settings.mjs";
import { failed, toast } from "./toast.mjs";
import { BASE, lang, setLang, t } from "./words.mjs";

export function TopBar() {
  return html`<header class="bar">
    <${Link} href="/" class="brand">
      <img src=${`${BASE}icons/icon.svg`} alt="" width="32" height="32" /><span>Meja</span>
    <//>
    <nav class="bar-links" aria-label=${t("Pages")}>
      <${Link} href="/tables">${t("Open tables")}<//>
      <${Link} href="/mine">${t("My games")}<//>
      <${Link} href=${`/rules/${ORDER[0]}`}>${t("Rules")}<//>
    </nav>
    <div class="bar-tools"><${WhoButton} /><${LanguageButton} /><${ThemeButton} /></div>
  </header>`;
}

function WhoButton() {
  const name = named() ? person.value?.name : "";
  return html`<button
    type="button"
    class="tool who"
    aria-label=${name ? t("Your name: {name}", { name }) : t("Your name")}
    onClick=${() => askName().catch(failed)}
  >
    <${Icon} name="person" />${name && html`<span class="who-name">${name}</span>`}
  </button>`;
}

/** @param {import("./words.mjs").Lang} language */
export async function chooseLanguage(language) {
  if (!(await setLang(language))) toast(t("The words of the other language could not be loaded."), { kind: "error" });
}

function LanguageButton() {
  const other = lang.value === "id" ? "en" : "id";
  return html`<button type="button" class="tool" lang=${other} onClick=${() => chooseLanguage(other)}>
    <${Icon} name="globe" /><span>${other === "id" ? "Indonesia" : "English"}</span>
  </button>`;
}

/** @typedef {"auto" | "light" | "dark"} Theme */

function ThemeButton() {
  const theme = settings.theme.value;
  /** @type {Record<Theme, [Theme, import("./icons.mjs").IconName, string]>} */
  const known = {
    auto: ["light", "theme-auto", t("Theme: as the device")],
    light: ["dark", "sun", t("Theme: light")],
    dark: ["auto", "moon", t("Theme: dark")],
  };
  const [next, icon, label] = known[theme];
  return html`<button
    type="button"
    class="icon-button"
    aria-label=${label}
    title=${label}
    onClick=${() => {
      settings.theme.value = next;
    }}
  >
    <${Icon} name=${icon} />
  </button>`;
}

export function Foot() {
  return html`<footer class="foot">
    <nav class="foot-links" aria-label=${t("More pages")}>
      <${Link} href="/tables">${t("Open tables")}<//>
      <${Link} href="/mine">${t("My games")}<//>
      <${Link} href=${`/rules/${ORDER[0]}`}>${t("Rules")}<//>
      <${Link} href="/replay">${t("Replay a match")}<//>
      <${Link} href="/verify">${t("Check the shuffles")}<//>
      <${Link} href="/settings">${t("Settings")}<//>
      <${Link} href="/about">${t("About Meja")}<//>
    </nav>
    <p>${t("There are no coins and no prizes here, and nothing is for sale. Points and chips are only score.")}</p>
  </footer>`;
}
