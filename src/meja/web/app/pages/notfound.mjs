// @ts-check
// The page for an address that names none.
import { html } from "../html.mjs";
import { Page } from "../page.mjs";
import { Link } from "../router.mjs";
import { t } from "../words.mjs";

export function NotFound() {
  return html`<${Page} title=${t("There is no such page")}>
    <p>${t("The link may be mistyped or too old.")}</p>
    <p><${Link} class="button primary" href="/">${t("To the games")}<//></p>
  <//>`;
}

export default NotFound;
