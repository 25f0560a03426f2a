/** The rows of the event table that the timeline shows. */

import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { Search } from "../../session/wire";
import { type Interval, limits } from "../../state/interval";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { later } from "../later";
import { hitsBefore } from "../search/run-search";

/** Rows from `start` up to `end`, which is excluded. */
type RowRange = Interval;

/** Delay while the visible interval moves, in milliseconds. */
const PAUSE = 120;

/** Events of the recording that the visible interval contains. */
async function visibleEvents(trace: TraceState, signal: AbortSignal): Promise<RowRange> {
  const { axis, start, end } = trace.queryWindow();
  const whole = limits(trace.extent.peek(), "index");
  const clamp = (event: number) => Math.min(Math.max(event, whole.start), whole.end);
  if (axis === "index") return { start: clamp(Math.floor(start)), end: clamp(Math.ceil(end)) };
  /** The number after the last event at or before a time. */
  const after = async (time: number) => {
    if (time < limits(trace.extent.peek(), "time").start) return whole.start;
    const place = await trace.client.query<"locate">({ query: "locate", axis, at: time }, signal);
    return place === null ? whole.start : clamp(place.event + 1);
  };
  const [first, last] = await Promise.all([after(Math.ceil(start) - 1), after(Math.floor(end))]);
  return { start: first, end: last };
}

/**
 * Visible rows while the table is limited to them, `null` otherwise: events by number or, with a
 * search, its hits.
 */
export function useVisibleRows(
  trace: TraceState,
  search: Search | null,
): ReadonlySignal<RowRange | null> {
  const rows = useSignal<RowRange | null>(null);
  const searched = useSignal(search);
  searched.value = search;
  useSignalEffect(() => {
    if (!settings.visibleEvents.value) {
      rows.value = null;
      return undefined;
    }
    const hits = searched.value;
    void [trace.settledWindow.value, trace.axis.value, trace.dataVersion.value];
    const find = async (signal: AbortSignal): Promise<RowRange> => {
      const events = await visibleEvents(trace, signal);
      if (hits === null) return events;
      const [start, end] = await Promise.all([
        hitsBefore(trace, hits, events.start),
        hitsBefore(trace, hits, events.end),
      ]);
      return { start, end };
    };
    return later(rows.peek() === null ? 0 : PAUSE, find, (found) => {
      rows.value = found;
    });
  });
  return rows;
}
