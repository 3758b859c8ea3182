// @ts-check
/**
 * Dragging cards with Pointer Events; tapping and keys stay what they are.
 *
 * Give the handler to a card's `onPointerDown`:
 *
 *     onPointerDown=${(event) => startDrag(event, {
 *       payload: "As",                       // anything; handed back
 *       onDrop: (target, payload, at) => …,  // target: the data-drop text under the pointer, or null when dropped elsewhere;
 *                                            // at: {x, y} and `element`, the element that carries data-drop
 *       onOver: (target, at) => …,           // optional: the drop target under the pointer has changed (null: none);
 *       onMove: (at) => …,                   // optional: for an own order by drag
 *       onStart: () => …, onEnd: () => …,    // optional
 *       ghosts: [element, …],                // optional: what follows the pointer (default: the card itself)
 *     })}
 *
 * Drop targets are elements with `data-drop="name"`. While something is dragged, `data-dragging` stands on <body>,
 * `data-over` on the target under the pointer, `data-dragged` on the elements whose copy follows the pointer: style them in CSS.
 * A press that does not move further than a few pixels stays a click: keep the ordinary `onClick` for tap and keyboard.
 * After a drag the click that browsers send is swallowed. Put `touch-action: none` (class "draggable") on what can be dragged.
 */

/** @typedef {{x: number, y: number, element: HTMLElement | null}} At */
/**
 * @template P
 * @typedef {object} DragOptions
 * @property {P} payload
 * @property {(target: string | null, payload: P, at: At) => void} onDrop
 * @property {(target: string | null, at: At) => void} [onOver]
 * @property {(at: At) => void} [onMove]
 * @property {() => void} [onStart]
 * @property {() => void} [onEnd]
 * @property {HTMLElement[]} [ghosts]
 */

/** How far a pointer must move before a press is a drag: a finger is less steady than a mouse. */
const THRESHOLD = { mouse: 5, pen: 7, touch: 9 };

/**
 * @template P
 * @param {PointerEvent} down
 * @param {DragOptions<P>} options
 */
export function startDrag(down, options) {
  if (down.button !== 0 || !down.isPrimary) return;
  const source = /** @type {HTMLElement} */ (down.currentTarget);
  const threshold = THRESHOLD[/** @type {keyof typeof THRESHOLD} */ (down.pointerType)] ?? THRESHOLD.touch;
  /** @type {HTMLElement | null} */
  let layer = null;
  /** @type {HTMLElement | null} */
  let over = null;
  /** @type {HTMLElement[]} */
  let lifted = [];

  /** @param {PointerEvent} event @returns {At} */
  const at = (event) => ({ x: event.clientX, y: event.clientY, element: over });

  /** @param {PointerEvent} event */
  const seek = (event) => {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const found = /** @type {HTMLElement | null} */ (under?.closest("[data-drop]") ?? null);
    if (found === over) return;
    over?.removeAttribute("data-over");
    found?.setAttribute("data-over", "");
    over = found;
    options.onOver?.(found?.dataset.drop ?? null, at(event));
  };

  const lift = () => {
    lifted = options.ghosts ?? [source];
    layer = document.createElement("div");
    layer.className = "drag-layer";
    layer.setAttribute("aria-hidden", "true");
    // The layer hangs in an open modal dialog, if there is one: nothing else is drawn above that.
    for (const element of lifted) {
      const box = element.getBoundingClientRect();
      const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
      copy.removeAttribute("id");
      copy.classList.add("drag-ghost");
      Object.assign(copy.style, {
        left: `${box.left}px`,
        top: `${box.top}px`,
        width: `${box.width}px`,
        height: `${box.height}px`,
      });
      layer.append(copy);
      element.setAttribute("data-dragged", "");
    }
    (source.closest("dialog") ?? document.body).append(layer);
    document.body.setAttribute("data-dragging", "");
    options.onStart?.();
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    if (event.pointerId !== down.pointerId) return;
    const dx = event.clientX - down.clientX;
    const dy = event.clientY - down.clientY;
    if (!layer) {
      if (Math.hypot(dx, dy) < threshold) return;
      lift();
    }
    if (layer) layer.style.transform = `translate(${dx}px, ${dy}px)`;
    seek(event);
    options.onMove?.(at(event));
    event.preventDefault();
  };

  const end = () => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", cancel);
    window.removeEventListener("keydown", escape, true);
    if (!layer) return;
    layer.remove();
    layer = null;
    over?.removeAttribute("data-over");
    for (const element of lifted) element.removeAttribute("data-dragged");
    document.body.removeAttribute("data-dragging");
    swallowClick();
    options.onEnd?.();
  };

  /** @param {PointerEvent} event */
  const up = (event) => {
    if (event.pointerId !== down.pointerId) return;
    const dragged = layer !== null;
    if (dragged) seek(event);
    const target = over?.dataset.drop ?? null;
    const where = at(event);
    end();
    if (dragged) options.onDrop(target, options.payload, where);
  };

  /** @param {PointerEvent} event */
  const cancel = (event) => {
    if (event.pointerId === down.pointerId) end();
  };

  /** @param {KeyboardEvent} event */
  const escape = (event) => {
    if (event.key !== "Escape" || !layer) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };

  window.addEventListener("pointermove", move, { passive: false });
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", cancel);
  window.addEventListener("keydown", escape, true);
}

/** A drag that ends over its own card is still followed by a click, which would lift the card. */
function swallowClick() {
  /** @param {Event} event */
  const swallow = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 50);
}
