// @ts-check
// One line for a table that the person sits at.
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { Link } from "../router.mjs";
import { serverNow } from "../request.mjs";
import { ago, list, number, t } from "../words.mjs";

/** @param {import("../../types.d.ts").Status} status @returns {string} */
export function statusText(status) {
  switch (status) {
    case "open":
      return t("Waiting for players");
    case "finished":
      return t("Finished");
    case "closed":
      return t("Broken off");
    default:
      return t("Under way");
  }
}

/** @param {{ table: import("../../types.d.ts").MyTable }} props */
export function MyTable({ table }) {
  const names = table.seats.map((seat) => seat.name || t("free seat"));
  return html`<li class="row" data-game=${table.game}>
    <span class="swatch" aria-hidden="true"></span>
    <div class="row-words">
      <${Link} class="row-link" href=${`/t/${table.table}`}>${table.title}<//>
      ${table.your_turn && html`<strong class="badge"><${Icon} name="bell" />${t("Your turn")}</strong>`}
      <p class="muted">
        ${[
          list(names),
          statusText(table.status),
          table.deal ? t("Deal {number}", { number: table.deal }) : "",
          table.deal ? t("Score {scores}", { scores: table.totals.map((total) => number(total)).join(" : ") }) : "",
          ago(table.updated, serverNow()),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </div>
    <${Icon} name="next" />
  </li>`;
}
