/** Commands for zooming and panning. */

import type { TraceState } from "../../state/trace";
import { active, showError } from "../../state/viewer";
import { type Command, commandsOf } from "./command";

const { ofTrace } = commandsOf("View");
const STEP = 0.15;
const FACTOR = 1.5;

/** Zooms around the pointer, else around the selected event if visible, else around the middle. */
function zoom(trace: TraceState, factor: number): void {
  const { start: from, end: to } = trace.window.peek();
  const selected = trace.selected.peek();
  const candidates = [trace.cursor.peek(), selected && trace.position(selected)];
  const around = candidates.find((at) => at !== null && at >= from && at <= to);
  trace.zoom(factor, around ?? undefined);
}

export const zoomCommands: readonly Command[] = [
  ofTrace("zoom-in", "Zoom in", ["W", "+", "="], (trace) => zoom(trace, 1 / FACTOR), {
    icon: "zoom-in",
  }),
  ofTrace("zoom-out", "Zoom out", ["S", "-"], (trace) => zoom(trace, FACTOR), { icon: "zoom-out" }),
  ofTrace("pan-left", "Pan left", ["A"], (trace) => trace.pan(-STEP)),
  ofTrace("pan-right", "Pan right", ["D"], (trace) => trace.pan(STEP)),
  ofTrace(
    "zoom-whole",
    "Zoom to whole trace (100 %)",
    ["0"],
    (trace) => trace.show(trace.fullInterval.peek().start, trace.fullInterval.peek().end),
    { icon: "whole" },
  ),
  ofTrace(
    "zoom-range",
    "Zoom to range",
    ["Z"],
    (trace) => {
      const range = trace.range.peek();
      if (range) trace.show(Math.min(range.start, range.end), Math.max(range.start, range.end));
    },
    { icon: "range", enabled: () => active.value?.range.value != null },
  ),
  ofTrace(
    "axis",
    "Switch between time view and sequential view",
    ["T"],
    (trace) => {
      trace.switchAxis(trace.axis.peek() === "time" ? "index" : "time").catch(showError);
    },
    { icon: "axis", pressed: () => active.value?.axis.value === "index" },
  ),
];
