/** Wheel input: zooms, pans with Shift or sideways, scrolls with Alt. */

import type { TimelineView } from "../view";

/** Pixels per line and page, for wheels that report those units. */
const LINE = 16;
const PAGE = 400;
/** Zoom exponent per pixel; a pinch on a touchpad reports smaller steps. */
const ZOOM = 0.0018;
const PINCH = 0.012;
/** Maximum zoom exponent of one event. */
const MAX_EXPONENT = 0.7;

/** Factor for the length of the visible interval. */
export function zoomFactor(pixels: number, pinched: boolean): number {
  const exponent = pixels * (pinched ? PINCH : ZOOM);
  return Math.exp(Math.min(Math.max(exponent, -MAX_EXPONENT), MAX_EXPONENT));
}

export function onWheel(
  event: WheelEvent,
  x: number,
  view: TimelineView,
  scroll: (top: number) => void,
): void {
  event.preventDefault();
  const unit =
    event.deltaMode === WheelEvent.DOM_DELTA_LINE
      ? LINE
      : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
        ? PAGE
        : 1;
  const [across, down] = [event.deltaX * unit, event.deltaY * unit];
  const scale = view.scale();
  if (event.altKey) {
    scroll(view.scrollTop.peek() + down);
  } else if (event.shiftKey || Math.abs(across) > Math.abs(down)) {
    // With Shift, some browsers report a sideways wheel and some do not.
    view.trace.pan((Math.abs(across) > Math.abs(down) ? across : down) / scale.width);
  } else {
    // Browsers report a pinch on a touchpad as a wheel with Ctrl.
    const isNotch = Math.abs(down) >= 50;
    view.trace.zoom(zoomFactor(down, event.ctrlKey && !isNotch), scale.at(x));
  }
}
