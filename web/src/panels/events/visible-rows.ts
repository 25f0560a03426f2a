/** The rows of the event table that the timeline shows. */

import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { Search } from "../../session/wire";
import { limits } from "../../state/interval";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { hitsBefore } from "../search/run-search";

/** Rows from `start` up to `end`, which is excluded. */
export interface RowRange {
  start: number;
  end: number;
}

/** Delay while the visible interval moves, in milliseconds. */
const PAUSE = 120;

/** Events of the recording that the visible interval contains. */
export async function visibleEvents(trace: TraceState, signal: AbortSignal): Promise<RowRange> {
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
    const stop = new AbortController();
    const find = async () => {
      const events = await visibleEvents(trace, stop.signal);
      const [start, end] =
        hits === null
          ? [events.start, events.end]
          : await Promise.all([
              hitsBefore(trace, hits, events.start),
              hitsBefore(trace, hits, events.end),
            ]);
      if (!stop.signal.aborted) rows.value = { start, end };
    };
    const timer = setTimeout(
      () => {
        find().catch((error: unknown) => {
          if (!stop.signal.aborted) showError(error);
        });
      },
      rows.peek() === null ? 0 : PAUSE,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  });
  return rows;
}
