// @ts-check
// A browser has six connections to a server. Its tabs tell each other which of them are open, so that
// those hidden the longest leave the connections to the others.

const STREAMS = 3;
const TELL_EVERY = 30000;
/** Hidden tabs run their timers once a minute. */
const FORGET_AFTER = 150000;

/** @typedef {{ hidden: number, heard: number }} Tab `hidden`: since when, 0 if it is seen */

/** Take a place among the tabs. `changed` is called when the answer of `crowded` may have changed.
 * @param {() => void} changed */
export function joinTabs(changed) {
  const own = `${Math.random()}`.slice(2);
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("meja.tabs") : null;
  /** @type {Map<string, Tab>} */
  const others = new Map();
  let hidden = document.hidden ? Date.now() : 0;

  /** @param {boolean} [asking] */
  const tell = (asking = false) => channel?.postMessage({ id: own, hidden, asking });
  const seen = () => {
    hidden = document.hidden ? hidden || Date.now() : 0;
    tell();
    changed();
  };
  if (channel) {
    channel.onmessage = ({ data }) => {
      if (data.left) others.delete(data.id);
      else others.set(data.id, { hidden: data.hidden, heard: Date.now() });
      if (data.asking) tell();
      changed();
    };
  }
  document.addEventListener("visibilitychange", seen);
  const timer = setInterval(tell, TELL_EVERY);
  tell(true);

  return {
    /** Whether this tab is hidden and enough others come before it. */
    crowded() {
      if (!hidden) return false;
      let before = 0;
      for (const [id, tab] of others) {
        if (Date.now() - tab.heard > FORGET_AFTER) others.delete(id);
        else if (!tab.hidden || tab.hidden > hidden || (tab.hidden === hidden && id < own)) before += 1;
      }
      return before >= STREAMS;
    },
    leave() {
      channel?.postMessage({ id: own, left: true });
      channel?.close();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    },
  };
}
