// @ts-check
// The first page: four games as four tables, and the games that are not finished.
import { useEffect, useState } from "preact/hooks";
import { Art } from "../art.mjs";
import { Failure, useLoad } from "../load.mjs";
import { games, gamesError, loadGames, ORDER } from "../games.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { person } from "../me.mjs";
import { Page } from "../page.mjs";
import { get } from "../request.mjs";
import { Link } from "../router.mjs";
import { inviteFriends, playBots } from "../start.mjs";
import { failed } from "../toast.mjs";
import { plural, t } from "../words.mjs";
import { MyTable } from "./mytable.mjs";

/** @typedef {import("../../types.d.ts").GameInfo} GameInfo */

export function Home() {
  const [busy, setBusy] = useState("");
  const found = games.value?.games;
  /** @param {string} what @param {() => Promise<void>} run */
  const start = async (what, run) => {
    if (busy) return;
    setBusy(what);
    try {
      await run();
    } catch (error) {
      failed(error);
    }
    setBusy("");
  };
  return html`<${Page} title="Meja" heading=${t("Four card games, one table")} class="home">
    <p class="lead">${t("Play against bots at once, or send your friends a link. No sign-up.")}</p>
    ${person.value && html`<${Unfinished} />`}
    ${gamesError.value && !found && html`<${Failure} error=${gamesError.value} again=${loadGames} />`}
    <ul class="games">
      ${ORDER.map(
        (name) => html`<${GameTable}
        key=${name}
        name=${name}
        info=${found?.find((one) => one.name === name)}
        busy=${busy}
        start=${start}
      />`,
      )}
    </ul>
  <//>`;
}

/** @param {{ name: string, info: GameInfo | undefined, busy: string,
 *   start: (what: string, run: () => Promise<void>) => void }} props */
function GameTable({ name, info, busy, start }) {
  const title = info?.title ?? "";
  const bots = `bots ${name}`;
  const friends = `friends ${name}`;
  return html`<li class="game" data-game=${name}>
    <${Art} game=${name} seats=${info?.default_seats} />
    <div class="game-words">
      <h2 id=${`game-${name}`}>${title || html`<span class="waiting"> </span>`}</h2>
      <p class="game-facts">
        ${info &&
        html`<span><${Icon} name="people" />${seatsText(info.seats)}</span>
          <span>
            <${Icon} name="clock" />${t("{least}–{most} min", { least: info.minutes[0], most: info.minutes[1] })}
          </span>`}
      </p>
      <p class="game-blurb">${info?.blurb}</p>
      <div class="game-buttons">
        <button
          type="button"
          class="button primary"
          aria-describedby=${`game-${name}`}
          disabled=${!info}
          aria-busy=${busy === bots}
          onClick=${() => info && start(bots, () => playBots(info))}
        >
          <${Icon} name="bot" />${t("Play bots")}
        </button>
        <button
          type="button"
          class="button"
          aria-describedby=${`game-${name}`}
          disabled=${!info}
          aria-busy=${busy === friends}
          onClick=${() => info && start(friends, () => inviteFriends(info))}
        >
          <${Icon} name="link" />${t("Invite friends")}
        </button>
      </div>
      <p class="game-links">
        <${Link} href=${`/new/${name}`} aria-label=${info && t("Table and house rules: {game}", { game: title })}>
          ${t("Table and house rules")}
        <//>
        <${Link} href=${`/rules/${name}`} aria-label=${info && t("Rules: {game}", { game: title })}>${t("Rules")}<//>
      </p>
    </div>
  </li>`;
}

/** @param {number[]} seats @returns {string} */
function seatsText(seats) {
  const least = Math.min(...seats);
  const most = Math.max(...seats);
  if (least === most) return plural(most, t("{n} player", { n: most }), t("{n} players", { n: most }));
  return t("{least}–{most} players", { least, most });
}

function Unfinished() {
  const { data, reload } = useLoad(
    /** @returns {Promise<{ tables: import("../../types.d.ts").MyTable[] }>} */ () => get("/api/tables/mine"),
    [person.value?.id],
  );
  useEffect(() => {
    const seen = () => !document.hidden && reload();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, [reload]);
  const tables = (data?.tables ?? []).filter(({ status }) => status !== "finished" && status !== "closed");
  if (!tables.length) return null;
  return html`<section class="unfinished" aria-labelledby="unfinished">
    <h2 id="unfinished">${t("Your games")}</h2>
    <ul class="rows">
      ${tables.slice(0, 3).map((table) => html`<${MyTable} key=${table.table} table=${table} />`)}
    </ul>
    ${tables.length > 3 && html`<p><${Link} href="/mine">${t("All my games")}<//></p>`}
  </section>`;
}
