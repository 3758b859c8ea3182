// @ts-check
// Something a page waits for, and what it shows when that fails.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.mjs";
import { Icon } from "./icons.mjs";
import { ApiError } from "./request.mjs";
import { spoken, t } from "./words.mjs";

/** @template T
 * @typedef {{ data: T | null, error: ApiError | null, loading: boolean, reload: () => Promise<void> }} Loaded */

/** Load something, again whenever `inputs` or the language change. What was there stays until the new is there.
 * @template T @param {() => Promise<T>} load @param {any[]} inputs @returns {Loaded<T>} */
export function useLoad(load, inputs) {
  const [state, setState] = useState(
    /** @type {{ data: T | null, error: ApiError | null, loading: boolean }} */ ({
      data: null,
      error: null,
      loading: true,
    }),
  );
  const turn = useRef(0);
  const reload = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    setState((before) => ({ ...before, loading: true }));
    try {
      const data = await load();
      if (mine === turn.current) setState({ data, error: null, loading: false });
    } catch (error) {
      const fault = error instanceof ApiError ? error : new ApiError(0, { text: `${error}` });
      if (mine === turn.current) setState((before) => ({ ...before, error: fault, loading: false }));
    }
  }, [...inputs, spoken.value]);
  useEffect(() => {
    reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);
  return { ...state, reload };
}

/** What went wrong, and a way to try again. @param {{ error: ApiError, again?: () => void }} props */
export function Failure({ error, again }) {
  return html`<div class="note error" role="alert">
    <${Icon} name="warning" />
    <div class="stack">
      <p>${error.text}</p>
      ${again &&
      html`<p>
        <button type="button" class="button small" onClick=${again}><${Icon} name="refresh" />${t("Try again")}</button>
      </p>`}
    </div>
  </div>`;
}
