// @ts-check
// The tables that anybody may sit down at or watch.
import { useEffect } from "preact/hooks";
import { Failure, useLoad } from "../load.mjs";
import { games, ORDER } from "../games.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { Page } from "../page.mjs";
import { get, serverNow } from "../request.mjs";
import { Link } from "../router.mjs";
import { ago, plural, t } from "../words.mjs";
import { statusText } from "./mytable.mjs";

const EVERY = 10000;

export default function TablesPage() {
  const { data, error, reload } = useLoad(
    /** @returns {Promise<{ tables: import("../../types.d.ts").ListedTable[] }>} */ () => get("/api/tables"),
    [],
  );
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), EVERY);
    return () => clearInterval(timer);
  }, [reload]);
  const tables = data?.tables ?? [];
  return html`<${Page} title=${t("Open tables")}>
    <p class="lead">${t("Tables that their hosts have listed: sit down, or watch.")}</p>
    ${error && html`<${Failure} error=${error} again=${reload} />`}
    ${data &&
      !tables.length &&
    html`<p>
      ${t("No table is listed now. Open one and list it: others will find it here.")}
    </p>`}
    <ul class="rows">
      ${tables.map((table) => html`<${Listed} key=${table.table} table=${table} />`)}
    </ul>
    <section class="stack" aria-labelledby="open-one">
      <h2 id="open-one">${t("Open a table of your own")}</h2>
      <p class="buttons">
        ${ORDER.map(
          (name) => html`<${Link} class="button" href=${`/new/${name}?listed`}>
          ${games.value?.games.find((one) => one.name === name)?.title ?? name}
        <//>`,
        )}
      </p>
    </section>
  <//>`;
}

/** @param {{ table: import("../../types.d.ts").ListedTable }} props */
function Listed({ table }) {
  const free = table.seats.filter(({ kind }) => kind === "open").length;
  const clock = games.value?.clocks.find(({ name }) => name === table.clock);
  const canSit = table.status === "open" && free > 0;
  const button = canSit ? t("Sit down") : table.watch ? t("Watch") : "";
  return html`<li class="row listed" data-game=${table.game}>
    <span class="swatch" aria-hidden="true"></span>
    <div class="row-words">
      <h2 class="row-title" id=${`listed-${table.table}`}>
        ${t("{game} with {host}", { game: table.title, host: table.host })}
      </h2>
      <ul class="seats">
        ${table.seats.map(
          (seat) => html`<li class=${`seat-chip ${seat.kind}`}>
            <${Icon} name=${seat.kind === "bot" ? "bot" : seat.kind === "open" ? "chair" : "person"} />
            ${seat.kind === "open" ? t("free seat") : seat.name}
          </li>`,
        )}
      </ul>
      <p class="muted">
        ${[
          canSit
            ? plural(free, t("{n} free seat", { n: free }), t("{n} free seats", { n: free }))
            : statusText(table.status),
          table.clock === "off" ? "" : (clock?.title ?? ""),
          ago(table.created, serverNow()),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      ${table.changed.length > 0 &&
      html`<ul class="changed">
        ${table.changed.map((line) => html`<li>${line}</li>`)}
      </ul>`}
    </div>
    ${button &&
    html`<${Link}
        class=${`button ${canSit ? "primary" : ""}`}
        href=${`/t/${table.table}`}
        aria-describedby=${`listed-${table.table}`}
      >
      <${Icon} name=${canSit ? "chair" : "eye"} />${button}
    <//>`}
  </li>`;
}
