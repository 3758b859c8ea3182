// @ts-check
// The tables that the person sits or sat at.
import { Failure, useLoad } from "../load.mjs";
import { html } from "../html.mjs";
import { loadMe, person } from "../me.mjs";
import { Page } from "../page.mjs";
import { get } from "../request.mjs";
import { Link } from "../router.mjs";
import { t } from "../words.mjs";
import { MyTable } from "./mytable.mjs";

/** @typedef {import("../../types.d.ts").MyTable} Mine */

export default function MinePage() {
  const { data, error, reload } = useLoad(
    /** @returns {Promise<{ tables: Mine[] }>} */ async () =>
      (person.peek() ?? (await loadMe())) ? get("/api/tables/mine") : { tables: [] },
    [person.value?.id],
  );
  const tables = data?.tables ?? [];
  const going = tables.filter(({ status }) => status !== "finished" && status !== "closed");
  const ended = tables.filter((table) => !going.includes(table));
  return html`<${Page} title=${t("My games")}>
    ${error && html`<${Failure} error=${error} again=${reload} />`}
    ${data &&
      !tables.length &&
    html`<p>${t("You have not played here yet, or this browser has forgotten you.")}</p>
      <p class="buttons">
        <${Link} class="button primary" href="/">${t("To the games")}<//>
        <${Link} class="button" href="/recover">${t("I have a recovery code")}<//>
      </p>`}
    <${Tables} id="going" title=${t("Under way")} tables=${going} />
    <${Tables} id="ended" title=${t("Ended")} tables=${ended} />
  <//>`;
}

/** @param {{ id: string, title: string, tables: Mine[] }} props */
function Tables({ id, title, tables }) {
  if (!tables.length) return null;
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    <ul class="rows">
      ${tables.map((table) => html`<${MyTable} key=${table.table} table=${table} />`)}
    </ul>
  </section>`;
}
