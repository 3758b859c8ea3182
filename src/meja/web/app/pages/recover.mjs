// @ts-check
// Become in this browser who one is in another.
import { useState } from "preact/hooks";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { named, person, recover } from "../me.mjs";
import { Page } from "../page.mjs";
import { ApiError } from "../request.mjs";
import { Link, place } from "../router.mjs";
import { t } from "../words.mjs";

export default function RecoverPage() {
  const [code, setCode] = useState(() => decodeURIComponent(place.peek().hash.slice(1)));
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (!code.trim()) {
      setFault(t("Please type the code."));
      return;
    }
    setBusy(true);
    setFault("");
    try {
      await recover(code.trim());
      // The code must not stay in the history of the browser.
      history.replaceState(null, "", "/recover");
      setDone(true);
    } catch (error) {
      setFault(error instanceof ApiError ? error.text : `${error}`);
    }
    setBusy(false);
  };
  if (done) {
    return html`<${Page} title=${t("Welcome back, {name}", { name: person.value?.name ?? "" })}>
      <p>${t("Your name and your seats are in this browser now.")}</p>
      <p class="buttons">
        <${Link} class="button primary" href="/mine">${t("My games")}<//>
        <${Link} class="button" href="/">${t("To the games")}<//>
      </p>
    <//>`;
  }
  const help = named()
    ? t("This browser is {name} now; it will be somebody else after that.", { name: person.value?.name ?? "" })
    : t("Three groups of four letters or digits.");
  return html`<${Page} title=${t("Use a recovery code")}>
    <p class="lead">${t("Another browser of yours shows such a code under Settings, Play on another device.")}</p>
    <form class="panel narrow" onSubmit=${submit}>
      <div class="field">
        <label for="code">${t("Recovery code")}</label>
        <input
          id="code"
          type="text"
          class="code"
          value=${code}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck=${false}
          placeholder="ABCD-EFGH-JKLM"
          maxlength="64"
          aria-invalid=${fault ? "true" : undefined}
          aria-describedby="code-help"
          onInput=${(/** @type {any} */ event) => setCode(event.target.value)}
        />
        <p id="code-help" class=${fault ? "fault" : "help"} role=${fault ? "alert" : undefined}>
          ${fault || help}
        </p>
      </div>
      <div class="actions">
        <button
          type="submit"
          class="button primary"
          disabled=${busy}
          aria-busy=${busy}
        >
          <${Icon} name="key" />${t("Use the code")}
        </button>
      </div>
    </form>
  <//>`;
}
