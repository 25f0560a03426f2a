/** Commands for zooming and panning. */

import type { TraceState } from "../../state/trace";
import { active, showError } from "../../state/viewer";
import { type Command, traceCommand } from "./command";

const group = "View";
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
  traceCommand(group, {
    id: "zoom-in",
    title: "Zoom in",
    keys: ["W", "+", "="],
    icon: "zoom-in",
    run: (trace) => zoom(trace, 1 / FACTOR),
  }),
  traceCommand(group, {
    id: "zoom-out",
    title: "Zoom out",
    keys: ["S", "-"],
    icon: "zoom-out",
    run: (trace) => zoom(trace, FACTOR),
  }),
  traceCommand(group, {
    id: "pan-left",
    title: "Pan left",
    keys: ["A"],
    run: (trace) => trace.pan(-STEP),
  }),
  traceCommand(group, {
    id: "pan-right",
    title: "Pan right",
    keys: ["D"],
    run: (trace) => trace.pan(STEP),
  }),
  traceCommand(group, {
    id: "zoom-whole",
    title: "Zoom to whole trace (100 %)",
    keys: ["0"],
    icon: "whole",
    run: (trace) => trace.show(trace.fullInterval.peek().start, trace.fullInterval.peek().end),
  }),
  traceCommand(group, {
    id: "zoom-range",
    title: "Zoom to range",
    keys: ["Z"],
    icon: "range",
    enabled: () => active.value?.range.value != null,
    run: (trace) => {
      const range = trace.range.peek();
      if (range) trace.show(Math.min(range.start, range.end), Math.max(range.start, range.end));
    },
  }),
  traceCommand(group, {
    id: "axis",
    title: "Switch between time view and sequential view",
    keys: ["T"],
    icon: "axis",
    pressed: () => active.value?.axis.value === "index",
    run: (trace) => {
      trace.switchAxis(trace.axis.peek() === "time" ? "index" : "time").catch(showError);
    },
  }),
];
