// @ts-check
// Runs before the first paint: a dark table must not flash white, and words of another language are asked
// for before the modules that need them have come. `settings.mjs` calls `applyTheme` when the choice changes.
(() => {
  /** @type {any} */
  const page = window;
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** @type {{ theme?: string, lang?: string }} */
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem("meja.settings") || "{}") || {};
  } catch {
    // Blocked storage or broken text: the device decides.
  }
  let choice = stored.theme || "auto";
  /** @param {string} [theme] */
  page.applyTheme = (theme) => {
    choice = theme || choice;
    root.dataset.theme = choice === "light" || choice === "dark" ? choice : dark.matches ? "dark" : "light";
    const background = getComputedStyle(root).getPropertyValue("--bg").trim();
    if (background) document.querySelector('meta[name="theme-color"]')?.setAttribute("content", background);
  };
  dark.addEventListener("change", () => page.applyTheme());
  page.applyTheme();

  const asked = new URLSearchParams(location.search).get("lang");
  page.firstLanguage = asked && ["en", "id", "xx"].includes(asked) ? asked : stored.lang || root.lang;
  if (page.firstLanguage === "id" && document.currentScript instanceof HTMLScriptElement) {
    page.earlyWords = fetch(new URL("../locale/id.json", document.currentScript.src));
    // Whoever awaits it handles the failure.
    page.earlyWords.catch(() => {});
  }
})();
