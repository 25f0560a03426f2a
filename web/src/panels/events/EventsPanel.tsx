/** Table of all events, in sync with the timeline, or of search hits. */

import { useSignal } from "@preact/signals";
import type { EventRow } from "../../session/wire";
import { Check, checkOf } from "../../shell/controls";
import { plural } from "../../state/format";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { hitsBefore, useRecount } from "../search/run-search";
import { VirtualTable } from "./VirtualTable";
import { useVisibleRows } from "./visible-rows";
import "./events.css";

/** Events of the recording; those before the trace's start are missing. */
async function eventsFrom(trace: TraceState, from: number, count: number, signal: AbortSignal) {
  const { rows } = await trace.client.query<"events">(
    { query: "events", offset: from, limit: count, search: null },
    signal,
  );
  const placed: (EventRow | undefined)[] = [];
  for (const row of rows) if (row.event < from + count) placed[row.event - from] = row;
  return { rows: placed };
}

export function EventsPanel({ trace }: { trace: TraceState }) {
  const onlyHits = useSignal(false);
  const searched = trace.searchResult.value;
  const isSearch = searched !== null && searched.error === null;
  const search = isSearch && onlyHits.value ? searched.search : null;
  useRecount(trace);
  const visible = useVisibleRows(trace, search);
  const { start, end } =
    visible.value ??
    (search
      ? { start: 0, end: searched?.total ?? 0 }
      : {
          start: trace.overview.base.event,
          end: trace.overview.base.event + trace.overview.events,
        });
  const total = Math.max(0, end - start);
  /** Reads the first row, so that the table scrolls to the selection when it changes. */
  const firstRow = () => visible.value?.start ?? (search ? 0 : trace.overview.base.event);
  return (
    <div class="events-panel">
      <div class="events-choice">
        <Check {...checkOf(settings.visibleEvents)} name="Visible part only">
          Visible part only
        </Check>
        {isSearch && (
          <Check {...checkOf(onlyHits)}>
            Only the {plural(searched.total, "hit")} of <code>{searched.search.filter}</code>
          </Check>
        )}
        <span class="muted">{plural(total, search ? "hit" : "event")}</span>
      </div>
      {search ? (
        <VirtualTable
          key={`hits ${search.filter}`}
          trace={trace}
          label="Hits"
          start={start}
          total={total}
          version={trace.dataVersion.value}
          source={search.filter}
          rowOf={async (event) => {
            const first = firstRow();
            return (await hitsBefore(trace, search, event)) - first;
          }}
          fetch={(from, count, signal) =>
            trace.client.query({ query: "events", offset: from, limit: count, search }, signal)
          }
        />
      ) : (
        <VirtualTable
          key="events"
          trace={trace}
          label="Events"
          start={start}
          total={total}
          isFollowing={trace.isFollowing.value && visible.value === null}
          source="events"
          rowOf={(event) => event - firstRow()}
          fetch={(from, count, signal) => eventsFrom(trace, from, count, signal)}
        />
      )}
    </div>
  );
}
