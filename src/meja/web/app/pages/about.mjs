// @ts-check
// What Meja is, and a check of everything between this browser and the server.
import { useState } from "preact/hooks";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { server } from "../me.mjs";
import { Page } from "../page.mjs";
import { Link } from "../router.mjs";
import { selfCheck } from "../selfcheck.mjs";
import { rich, t } from "../words.mjs";

export default function AboutPage() {
  return html`<${Page} title=${t("About Meja")} class="about">
    <section class="stack">
      <p class="lead">
        ${t("Meja is a table for four card games that are hard to find elsewhere: Bassadewitz, Calabresella, Kaluki and Cutthroat Canadian Smear.")}
      </p>
      <p>
        ${t("It is free software. Nothing here is for sale, and there are no coins, stakes, prizes or advertisements. Calabresella and Bassadewitz count chips: they are score, like points, and cannot be bought or kept.")}
      </p>
      <p>
        ${rich(t("The cards are shuffled in a way that you can check yourself: {link}."), {
          link: html`<${Link} href="/verify">${t("check a match")}<//>`,
        })}
      </p>
    </section>
    <section class="panel" aria-labelledby="check">
      <h2 id="check">${t("Self-check")}</h2>
      <p>${t("When the table does not move, this tells what is in the way.")}</p>
      <${SelfCheck} />
    </section>
    <section class="stack" aria-labelledby="kept">
      <h2 id="kept">${t("What is kept")}</h2>
      <p>
        ${t("The server keeps your name, your matches and what was said at the tables. The browser keeps a cookie that tells who you are, and your settings. There is nothing else, and nobody else gets any of it.")}
      </p>
    </section>
    <section class="stack" aria-labelledby="versions">
      <h2 id="versions">${t("Versions")}</h2>
      ${server.value &&
      html`<dl class="facts">
        <dt>Meja</dt>
        <dd>${server.value.version}</dd>
        <dt>${t("Build")}</dt>
        <dd><code>${server.value.build}</code></dd>
        <dt>${t("Protocol")}</dt>
        <dd>${server.value.protocol}</dd>
        <dt>${t("Kernels")}</dt>
        <dd>${server.value.kernels}</dd>
      </dl>`}
    </section>
  <//>`;
}

/** @typedef {import("../selfcheck.mjs").Finding} Finding */

function SelfCheck() {
  const [findings, setFindings] = useState(/** @type {Finding[]} */ ([]));
  const [state, setState] = useState(/** @type {"" | "busy" | "done"} */ (""));
  const run = async () => {
    setFindings([]);
    setState("busy");
    for await (const finding of selfCheck()) setFindings((before) => [...before, finding]);
    setState("done");
  };
  const bad = findings.some(({ good }) => good === false);
  const verdict = bad ? t("Something is in the way; see below.") : t("Everything works.");
  return html`<div class="stack">
    <p>
      <button
        type="button"
        class="button primary"
        disabled=${state === "busy"}
        aria-busy=${state === "busy"}
        onClick=${run}
      >
        <${Icon} name="refresh" />${state ? t("Check again") : t("Check now")}
      </button>
    </p>
    <p role="status">${state === "busy" ? t("Checking…") : state === "done" ? verdict : ""}</p>
    <ul class="findings">
      ${findings.map(
        ({ title, text, good }) => html`<li key=${title} class=${good === false ? "bad" : good ? "good" : "unknown"}>
          <${Icon}
            name=${good === false ? "warning" : good ? "check" : "info"}
            label=${good === false ? t("Problem") : good ? t("In order") : t("Note")}
          />
          <span><strong>${title}</strong> ${text}</span>
        </li>`,
      )}
    </ul>
  </div>`;
}
