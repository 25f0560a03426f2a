/** Commands that mark, pin and dismiss events. */

import {
  addNoteAtPointer,
  bookmarkSelected,
  hasRange,
  keepRange,
} from "../../panels/bookmarks/new-bookmark";
import { showRange } from "../../panels/reports/report-selection";
import { clearSearch } from "../../panels/search/run-search";
import { loadSelection } from "../../state/load-selection";
import type { Moment, TraceState } from "../../state/trace";
import { active } from "../../state/viewer";
import { type Command, commandsOf } from "./command";

const { ofTrace } = commandsOf("Mark");
const OF_SELECTED = {
  enabled: () => active.value?.selected.value != null,
  usesSelection: true,
  hint: "Select an event first.",
};

function mark(trace: TraceState, name: "a" | "b"): void {
  const selected = trace.selected.peek();
  if (!selected) return;
  const moment: Moment = { time: selected.time, event: selected.event };
  const marker = trace.markers[name];
  marker.value = marker.peek()?.event === moment.event ? null : moment;
}

/** Dismisses the range, pinned details, the context in the CPU load, the selected lanes, the selection or the search, in this order. */
function dismiss(trace: TraceState): void {
  if (trace.range.peek()) trace.range.value = null;
  else if (trace.pinned.peek().length > 0) trace.pinned.value = trace.pinned.peek().slice(0, -1);
  else if (loadSelection(trace).peek()) loadSelection(trace).value = null;
  else if (trace.lanes.selected.peek().size > 0) trace.lanes.select([]);
  else if (trace.selected.peek()) trace.selected.value = null;
  else if (trace.searchResult.peek()) clearSearch(trace);
}

/** Selects a range and shows its figures. */
function selectRange(trace: TraceState, start: number, end: number): void {
  trace.range.value = { axis: trace.axis.peek(), start, end };
  showRange(trace);
}

/** Pins or unpins the details of the selected event. */
function pin(trace: TraceState): void {
  const event = trace.selected.peek()?.event;
  if (event === undefined) return;
  const pinned = trace.pinned.peek();
  const others = pinned.filter((one) => one !== event);
  trace.pinned.value = others.length < pinned.length ? others : [...pinned, event];
}

export const markCommands: readonly Command[] = [
  ofTrace(
    "marker-a",
    "Set marker A at the selected event",
    ["M"],
    (trace) => mark(trace, "a"),
    OF_SELECTED,
  ),
  ofTrace(
    "marker-b",
    "Set marker B at the selected event",
    ["Shift+M"],
    (trace) => mark(trace, "b"),
    OF_SELECTED,
  ),
  ofTrace(
    "clear-markers",
    "Remove both markers",
    [],
    ({ markers }) => {
      markers.a.value = null;
      markers.b.value = null;
    },
    {
      enabled: () => {
        const markers = active.value?.markers;
        return markers !== undefined && (markers.a.value ?? markers.b.value) !== null;
      },
    },
  ),
  ofTrace(
    "range-of-markers",
    "Select the range from A to B",
    [],
    (trace) => {
      const [a, b] = [trace.markers.a.peek(), trace.markers.b.peek()];
      if (a && b) selectRange(trace, trace.position(a), trace.position(b));
    },
    {
      enabled: () => {
        const markers = active.value?.markers;
        return markers?.a.value != null && markers.b.value !== null;
      },
    },
  ),
  ofTrace("range-of-window", "Select the visible part as range", [], (trace) => {
    const { start, end } = trace.window.peek();
    const whole = trace.fullInterval.peek();
    selectRange(trace, Math.max(start, whole.start), Math.min(end, whole.end));
  }),
  ofTrace("bookmark", "Bookmark the selected event…", ["B"], bookmarkSelected, {
    ...OF_SELECTED,
    icon: "bookmark",
  }),
  ofTrace(
    "note",
    "Add a note at the pointer, or in the middle…",
    ["J"],
    (trace) => void addNoteAtPointer(trace),
  ),
  ofTrace(
    "keep-range",
    "Keep the selected range with a note…",
    ["Shift+J"],
    (trace) => void keepRange(trace),
    {
      enabled: () => active.value !== null && hasRange(active.value),
      hint: "Select a range first.",
    },
  ),
  ofTrace("pin", "Pin the details of the selected event", ["Enter"], pin, {
    ...OF_SELECTED,
    icon: "pin",
  }),
  ofTrace("escape", "Dismiss range, pinned details, selection or search", ["Escape"], dismiss, {
    usesSelection: true,
  }),
];
