// @ts-check
// "Your turn" for somebody who looks elsewhere: the title, the icon of the tab, and a notification where wanted.
import { settings } from "../settings.mjs";
import { BASE, t } from "../words.mjs";

/** @param {string} title the page's own title */
export function createAlert(title) {
  const before = document.title;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel~="icon"]'));
  const usual = icon?.getAttribute("href") ?? "";
  /** @type {Notification | null} */
  let note = null;

  /** @param {boolean} turn @param {string} game */
  function show(turn, game) {
    document.title = turn ? t("● Your turn – {game}", { game }) : `${game} – Meja`;
    icon?.setAttribute("href", turn ? `${BASE}icons/icon-turn.svg` : usual);
    if (!turn) hush();
  }

  /** Tells it outside the page, where that was wanted and nobody looks at it. @param {string} game @param {string} text */
  function call(game, text) {
    if (!document.hidden || !settings.notify.value || typeof Notification === "undefined") return;
    if (Notification.permission !== "granted") return;
    // Bots may be so quick that the page never sees a turn that is not its own.
    hush();
    try {
      note = new Notification(t("Your turn – {game}", { game }), { body: text, tag: `meja-${title}`, icon: `${BASE}icons/icon-turn.svg` });
      note.onclick = () => {
        window.focus();
        hush();
      };
    } catch {
      // Some phones let only a service worker notify; the title and the sound are there still.
    }
  }

  function hush() {
    note?.close();
    note = null;
  }

  return {
    show,
    call,
    close() {
      hush();
      document.title = before;
      if (usual) icon?.setAttribute("href", usual);
    },
  };
}
