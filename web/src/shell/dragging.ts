/** Dragging of elements. */

/** Calls with each move of the pointer that is pressed on an element, until it is released. */
export function whileDragged(
  element: HTMLElement,
  down: PointerEvent,
  move: (moved: PointerEvent) => void,
): void {
  element.setPointerCapture(down.pointerId);
  element.addEventListener("pointermove", move);
  const end = () => element.removeEventListener("pointermove", move);
  element.addEventListener("lostpointercapture", end, { once: true });
}
