// @ts-check
// How much room there is for the hand.

import { useLayoutEffect, useState } from "preact/hooks";

/** The room for the hand, and the height of the screen.
 * @param {{ current: HTMLElement | null }} root */
export function useRoom(root) {
  const [room, setRoom] = useState({ width: Math.min(window.innerWidth, 1200) - 16, height: window.innerHeight });
  useLayoutEffect(() => {
    const look = () => {
      const desk = root.current?.querySelector(".kaluki-hand");
      const width = desk?.clientWidth ?? 0;
      const height = window.innerHeight;
      setRoom((before) => (!width || (before.width === width && before.height === height) ? before : { width, height }));
    };
    look();
    const observer = new ResizeObserver(look);
    if (root.current) {
      observer.observe(root.current);
    }
    window.addEventListener("resize", look);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", look);
    };
  }, []);
  return room;
}
