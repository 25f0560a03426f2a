/** Removes selections, markers and bookmarks whose events are no longer kept. */

import type { RecordingOffset } from "../../session/wire";
import type { TraceState } from "../trace";
import { notice } from "../viewer";

/** Drops everything before `base`, with a notice. */
export function dropMarksBefore(trace: TraceState, base: RecordingOffset): void {
  const isOld = (at: { event: number } | null) => at !== null && at.event < base.event;
  const dropped: string[] = [];
  if (isOld(trace.selected.peek())) {
    trace.selected.value = null;
    dropped.push("Selected event");
  }
  for (const [name, marker] of [
    ["A", trace.markers.a],
    ["B", trace.markers.b],
  ] as const) {
    if (!isOld(marker.peek())) continue;
    marker.value = null;
    dropped.push(`Marker ${name}`);
  }
  const range = trace.range.peek();
  if (
    range !== null &&
    Math.min(range.start, range.end) < (range.axis === "time" ? base.time : base.event)
  ) {
    trace.range.value = null;
    dropped.push("Range");
  }
  const pinned = trace.pinned.peek();
  const kept = pinned.filter((event) => event >= base.event);
  if (kept.length < pinned.length) {
    trace.pinned.value = kept;
    dropped.push("Pinned event");
  }
  const bookmarks = trace.bookmarks.peek();
  // They are stored with the recording and return when their events are shown.
  if (bookmarks.some(isOld)) trace.bookmarks.value = bookmarks.filter((one) => !isOld(one));
  if (dropped.length > 0)
    notice.value = `${dropped.join(", ")} removed: older than the events kept in memory.`;
}
