/** Pointer and wheel over a graph, as over the timeline. */

import type { TraceState } from "../../state/trace";

/** Handlers for an element that begins at the left of a plot. */
export function cursorHandlers(
  trace: TraceState,
  place: { current: HTMLElement | null },
  width: number,
) {
  return {
    onPointerMove(event: PointerEvent): void {
      if (!place.current) return;
      const { left } = place.current.getBoundingClientRect();
      const { start: from, end: to } = trace.window.peek();
      trace.cursor.value = from + ((event.clientX - left) / width) * (to - from);
    },
    onPointerLeave(): void {
      trace.cursor.value = null;
    },
    onWheel(event: WheelEvent): void {
      const { start: from, end: to } = trace.window.peek();
      const around = trace.cursor.peek() ?? (from + to) / 2;
      if (event.shiftKey || event.deltaX !== 0) trace.pan((event.deltaX || event.deltaY) / width);
      else if (event.ctrlKey || event.altKey) trace.zoom(1.0015 ** event.deltaY, around);
      else return;
      event.preventDefault();
    },
  };
}
