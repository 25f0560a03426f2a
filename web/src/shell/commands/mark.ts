/** Commands that mark, pin and dismiss events. */

import { clearSearch } from "../../panels/search/run-search";
import type { Moment, TraceState } from "../../state/trace";
import { active } from "../../state/viewer";
import { openDialog } from "../dialogs/open-dialog";
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

/** Dismisses the range, pinned details, the selection or the search, in this order. */
function dismiss(trace: TraceState): void {
  if (trace.range.peek()) trace.range.value = null;
  else if (trace.pinned.peek().length > 0) trace.pinned.value = trace.pinned.peek().slice(0, -1);
  else if (trace.selected.peek()) trace.selected.value = null;
  else if (trace.searchResult.peek()) clearSearch(trace);
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
    run: (trace) => mark(trace, "a"),
  }),
  traceCommand(group, {
    id: "marker-b",
    title: "Set marker B at the selected event",
    keys: ["Shift+M"],
    enabled: hasSelected,
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
    id: "bookmark",
    title: "Bookmark the selected event…",
    keys: ["B"],
    icon: "bookmark",
    enabled: hasSelected,
    run: () => {
      openDialog.value = "bookmark";
    },
  }),
  traceCommand(group, {
    id: "pin",
    title: "Pin the details of the selected event",
    keys: ["Enter"],
    icon: "pin",
    enabled: hasSelected,
    run: pin,
  }),
  traceCommand(group, {
    id: "escape",
    title: "Dismiss range, pinned details, selection or search",
    keys: ["Escape"],
    run: dismiss,
  }),
];
