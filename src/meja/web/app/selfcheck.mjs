// @ts-check
// Looks at everything between this browser and the server, one finding after the other.
import { person } from "./me.mjs";
import { address, ApiError, get, newBuild, serverNow } from "./request.mjs";
import { t } from "./words.mjs";

/** `good`: null where it is only worth knowing.
 * @typedef {{ title: string, text: string, good: boolean | null }} Finding */

const ROUNDS = 5;
const SLOW = 1000;
/** A stream says something at once; what is silent so long is held back. */
const FIRST_BYTES = 5000;

/** @returns {AsyncGenerator<Finding>} */
export async function* selfCheck() {
  const answer = await answers();
  yield answer;
  if (!answer.good) return;
  yield await stream();
  yield clock();
  yield storage();
  yield {
    title: t("Version"),
    text: newBuild.value ? t("This page is older than the server; load it again.") : t("This page and the server fit."),
    good: !newBuild.value,
  };
  if (!window.isSecureContext) {
    yield {
      title: t("Connection"),
      text: t(
        "This page is not encrypted, so the browser allows no notifications and no check of the shuffle. The host can add https.",
      ),
      good: null,
    };
  }
}

/** @returns {Promise<Finding>} */
async function answers() {
  const title = t("Answers");
  const times = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      const found = await get("/healthz");
      times.push(performance.now() - began);
      if (!found.ok)
        return {
          title,
          text: t("The server says that it is not well; its host can look with meja doctor."),
          good: false,
        };
    }
  } catch (error) {
    return { title, text: error instanceof ApiError ? error.text : `${error}`, good: false };
  }
  times.sort((a, b) => a - b);
  const middle = Math.round(times[Math.floor(ROUNDS / 2)] ?? 0);
  if (middle > SLOW)
    return {
      title,
      text: t("The server takes {time} ms to answer. That is slow: cards come late.", { time: middle }),
      good: false,
    };
  return { title, text: t("The server answers in {time} ms.", { time: middle }), good: true };
}

/** A table that may be followed: streams belong to tables. @returns {Promise<string | undefined>} */
async function someTable() {
  const mine = person.value ? (await get("/api/tables/mine")).tables : [];
  const listed = (await get("/api/tables")).tables.filter((/** @type {any} */ table) => table.watch);
  return [...mine, ...listed][0]?.table;
}

/** @returns {Promise<Finding>} */
async function stream() {
  const title = t("Live updates");
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), FIRST_BYTES);
  const began = performance.now();
  try {
    const table = await someTable();
    if (!table) return { title, text: t("Sit down at a table first; then this can be checked."), good: null };
    const response = await fetch(address("/api/stream", { table }), { signal: abort.signal, cache: "no-store" });
    const first = await response.body?.getReader().read();
    if (!response.ok || !first || first.done) return { title, text: t("The server refused the stream."), good: false };
    return {
      title,
      text: t("They come as they happen; the first took {time} ms.", { time: Math.round(performance.now() - began) }),
      good: true,
    };
  } catch {
    return {
      title,
      text: t("The network holds them back. The table asks again and again instead: it works, but a little later."),
      good: false,
    };
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

/** @returns {Finding} */
function clock() {
  const seconds = Math.round(Math.abs(serverNow() - Date.now()) / 1000);
  return {
    title: t("Clock"),
    text:
      seconds < 2
        ? t("The clocks of this device and the server agree.")
        : t("The clock of this device is off by {seconds} s; the table goes by the server's.", { seconds }),
    good: seconds < 60 ? true : null,
  };
}

/** @returns {Finding} */
function storage() {
  const title = t("Memory of the browser");
  try {
    localStorage.setItem("meja.check", "1");
    localStorage.removeItem("meja.check");
  } catch {
    return { title, text: t("It is blocked, so settings are forgotten when you leave."), good: null };
  }
  if (!navigator.cookieEnabled)
    return { title, text: t("Cookies are blocked: without one you cannot take a seat."), good: false };
  return { title, text: t("Settings and your seat are remembered."), good: true };
}
