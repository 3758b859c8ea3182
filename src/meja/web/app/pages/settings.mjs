// @ts-check
// What a person may choose for this browser.
import { chooseLanguage } from "../bar.mjs";
import { Card } from "../card.mjs";
import { confirm } from "../dialog.mjs";
import { Segments, Switch } from "../fields.mjs";
import { html } from "../html.mjs";
import { Icon } from "../icons.mjs";
import { askName, leave, person, showRecovery } from "../me.mjs";
import { Page } from "../page.mjs";
import { Link } from "../router.mjs";
import { settings } from "../settings.mjs";
import { failed, toast } from "../toast.mjs";
import { lang, t } from "../words.mjs";

const SAMPLE = ["As", "Kh", "Qd", "Jc", "Ts"];

export default function SettingsPage() {
  return html`<${Page} title=${t("Settings")} class="settings">
    <p class="lead">${t("They are kept in this browser.")}</p>
    <${Who} />
    <section class="panel" aria-labelledby="set-look">
      <h2 id="set-look">${t("Look")}</h2>
      <${Segments}
        title=${t("Language")}
        name="lang"
        value=${lang.value}
        choices=${[
          { value: "id", text: html`<span lang="id">Bahasa Indonesia</span>` },
          { value: "en", text: html`<span lang="en">English</span>` },
        ]}
        onChange=${chooseLanguage}
      />
      <${Choice}
        of="theme"
        title=${t("Theme")}
        choices=${[
          { value: "auto", text: t("As the device") },
          { value: "light", text: t("Light") },
          { value: "dark", text: t("Dark") },
        ]}
      />
      <${Choice}
        of="deck"
        title=${t("Cards")}
        choices=${[
          { value: "french", text: t("Two colours") },
          { value: "four-colour", text: t("Four colours") },
        ]}
        help=${t("Suits differ in shape in both; four colours make them easier to tell apart.")}
      />
      <div class=${`sample ${settings.largeCards.value ? "large" : ""}`} aria-hidden="true">
        ${SAMPLE.map((card) => html`<${Card} key=${card} card=${card} hidden />`)}
      </div>
      <${OnOff} of="largeCards" title=${t("Large cards")} help=${t("Your hand takes more room on the screen.")} />
    </section>
    <section class="panel" aria-labelledby="set-play">
      <h2 id="set-play">${t("Playing")}</h2>
      <${Choice}
        of="speed"
        title=${t("Speed of the cards")}
        choices=${[
          { value: "slow", text: t("Slow") },
          { value: "normal", text: t("Normal") },
          { value: "fast", text: t("Fast") },
          { value: "off", text: t("No motion") },
        ]}
      />
      <${Choice}
        of="trickWait"
        title=${t("A finished trick stays")}
        choices=${[
          { value: "time", text: t("For a moment") },
          { value: "tap", text: t("Until I tap") },
        ]}
      />
      <${OnOff}
        of="oneTap"
        title=${t("Play with one tap")}
        help=${t("Without this the first tap lifts a card and the second plays it.")}
      />
      <${OnOff}
        of="forced"
        title=${t("Cards without a choice play themselves")}
        help=${t("When only one card is allowed, it is played for you.")}
      />
    </section>
    <section class="panel" aria-labelledby="set-turn">
      <h2 id="set-turn">${t("When it is your turn")}</h2>
      <${OnOff} of="sound" title=${t("Sounds")} help=${t("A short sound for cards and for your turn.")} />
      <${Notify} />
    </section>
  <//>`;
}

/** @typedef {import("../settings.mjs").Settings} Settings */

/** @param {{ of: keyof Settings, title: string, choices: { value: string, text: any }[], help?: string }} props */
function Choice({ of, title, choices, help }) {
  /** @type {import("@preact/signals").Signal<any>} */
  const setting = settings[of];
  return html`<${Segments}
    title=${title}
    name=${of}
    value=${setting.value}
    choices=${choices}
    help=${help}
    onChange=${(/** @type {string} */ value) => {
      setting.value = value;
    }}
  />`;
}

/** @param {{ of: keyof Settings, title: string, help?: string }} props */
function OnOff({ of, title, help }) {
  /** @type {import("@preact/signals").Signal<any>} */
  const setting = settings[of];
  return html`<${Switch}
    title=${title}
    help=${help}
    value=${setting.value}
    onChange=${(/** @type {boolean} */ value) => {
      setting.value = value;
    }}
  />`;
}

function Notify() {
  const possible = "Notification" in window && window.isSecureContext;
  /** @param {boolean} wanted */
  const choose = async (wanted) => {
    if (!wanted) {
      settings.notify.value = false;
      return;
    }
    const answer = possible ? await Notification.requestPermission() : "denied";
    settings.notify.value = answer === "granted";
    if (answer !== "granted") toast(t("The browser does not allow notifications from this page."), { kind: "error" });
  };
  return html`<${Switch}
    key=${`${settings.notify.value}`}
    title=${t("Notifications")}
    help=${t("A note from the browser while you look at another page.")}
    value=${settings.notify.value}
    onChange=${choose}
  />`;
}

function Who() {
  const name = person.value?.name;
  const forget = async () => {
    const sure = await confirm({
      title: t("Forget me here?"),
      text: t("Without a recovery code your seats and games cannot be reached again."),
      yes: t("Forget me"),
      danger: true,
    });
    if (sure) await leave().catch(failed);
  };
  return html`<section class="panel" aria-labelledby="set-who">
    <h2 id="set-who">${t("You")}</h2>
    <p>
      ${name ? t("You are {name} here.", { name }) : t("You have no name here yet; you get one when you sit down.")}
    </p>
    <p class="buttons">
      <button
        type="button"
        class="button"
        onClick=${() => askName().catch(failed)}
      >
        <${Icon} name="edit" />${name ? t("Change the name") : t("Choose a name")}
      </button>
      <button
        type="button"
        class="button"
        onClick=${showRecovery}
      >
        <${Icon} name="key" />${t("Play on another device")}
      </button>
      <${Link} class="button" href="/recover">${t("I have a recovery code")}<//>
      ${name &&
      html`<button
        type="button"
        class="button danger"
        onClick=${forget}
      >
        <${Icon} name="leave" />${t("Forget me here")}
      </button>`}
    </p>
  </section>`;
}
