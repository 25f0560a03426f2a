/** Commands that mark, pin and dismiss events. */

import {
  addNoteAtPointer,
  bookmarkSelected,
  hasRange,
  keepRange,
} from "../../panels/bookmarks/new-bookmark";
import { showRange } from "../../panels/range/show-range";
import { clearSearch } from "../../panels/search/run-search";
import { loadSelection } from "../../state/load-selection";
import type { Moment, TraceState } from "../../state/trace";
import { active } from "../../state/viewer";
import { type Command, traceCommand } from "./command";

const group = "Mark";
const hasSelected = () => active.value?.selected.value != null;

function mark(trace: TraceState, name: "a" | "b"): void {
  const selected = trace.selected.peek();
  if (!selected) return;
  const moment: Moment = { time: selected.time, event: selected.event };
  const marker = trace.markers[name];
  marker.value = marker.peek()?.event === moment.event ? null : moment;
}

/** Dismisses the range, pinned details, the context in the CPU load, the selection or the search, in this order. */
function dismiss(trace: TraceState): void {
  if (trace.range.peek()) trace.range.value = null;
  else if (trace.pinned.peek().length > 0) trace.pinned.value = trace.pinned.peek().slice(0, -1);
  else if (loadSelection(trace).peek()) loadSelection(trace).value = null;
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
  traceCommand(group, {
    id: "marker-a",
    title: "Set marker A at the selected event",
    keys: ["M"],
    enabled: hasSelected,
    hint: "Select an event first.",
    run: (trace) => mark(trace, "a"),
  }),
  traceCommand(group, {
    id: "marker-b",
    title: "Set marker B at the selected event",
    keys: ["Shift+M"],
    enabled: hasSelected,
    hint: "Select an event first.",
    run: (trace) => mark(trace, "b"),
  }),
  traceCommand(group, {
    id: "clear-markers",
    title: "Remove both markers",
    keys: [],
    enabled: () => {
      const markers = active.value?.markers;
      return markers !== undefined && (markers.a.value ?? markers.b.value) !== null;
    },
    run: ({ markers }) => {
      markers.a.value = null;
      markers.b.value = null;
    },
  }),
  traceCommand(group, {
    id: "range-of-markers",
    title: "Select the range from A to B",
    keys: [],
    enabled: () => {
      const markers = active.value?.markers;
      return markers?.a.value != null && markers.b.value !== null;
    },
    run: (trace) => {
      const [a, b] = [trace.markers.a.peek(), trace.markers.b.peek()];
      if (a && b) selectRange(trace, trace.position(a), trace.position(b));
    },
  }),
  traceCommand(group, {
    id: "range-of-window",
    title: "Select the visible part as range",
    keys: [],
    run: (trace) => {
      const { start, end } = trace.window.peek();
      const whole = trace.fullInterval.peek();
      selectRange(trace, Math.max(start, whole.start), Math.min(end, whole.end));
    },
  }),
  traceCommand(group, {
    id: "bookmark",
    title: "Bookmark the selected event…",
    keys: ["B"],
    icon: "bookmark",
    enabled: hasSelected,
    hint: "Select an event first.",
    run: bookmarkSelected,
  }),
  traceCommand(group, {
    id: "note",
    title: "Add a note at the pointer, or in the middle…",
    keys: ["J"],
    run: (trace) => void addNoteAtPointer(trace),
  }),
  traceCommand(group, {
    id: "keep-range",
    title: "Keep the selected range with a note…",
    keys: ["Shift+J"],
    enabled: () => active.value !== null && hasRange(active.value),
    hint: "Select a range first.",
    run: (trace) => void keepRange(trace),
  }),
  traceCommand(group, {
    id: "pin",
    title: "Pin the details of the selected event",
    keys: ["Enter"],
    icon: "pin",
    enabled: hasSelected,
    hint: "Select an event first.",
    run: pin,
  }),
  traceCommand(group, {
    id: "escape",
    title: "Dismiss range, pinned details, selection or search",
    keys: ["Escape"],
    run: dismiss,
  }),
];
