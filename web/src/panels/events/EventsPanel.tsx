/** Table of all events, in sync with the timeline, or of search hits. */

import { useSignal } from "@preact/signals";
import type { EventRow } from "../../session/wire";
import { plural } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { hitsBefore, useRecount } from "../search/run-search";
import { VirtualTable } from "./VirtualTable";
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
  const base = trace.overview.base.event;
  return (
    <div class="events-panel">
      {isSearch && (
        <label class="events-choice">
          <input
            type="checkbox"
            checked={onlyHits.value}
            onChange={(event) => {
              onlyHits.value = event.currentTarget.checked;
            }}
          />
          Only the {plural(searched.total, "hit")} of <code>{searched.search.filter}</code>
        </label>
      )}
      {search ? (
        <VirtualTable
          key={`hits ${search.filter}`}
          trace={trace}
          label="Hits"
          total={searched?.total ?? 0}
          version={trace.dataVersion.value}
          source={search.filter}
          rowOf={(event) => hitsBefore(trace, search, event)}
          fetch={(from, count, signal) =>
            trace.client.query({ query: "events", offset: from, limit: count, search }, signal)
          }
        />
      ) : (
        <VirtualTable
          key="events"
          trace={trace}
          label="Events"
          total={trace.overview.events}
          start={base}
          isFollowing={trace.isFollowing.value}
          source="events"
          rowOf={(event) => event - base}
          fetch={(from, count, signal) => eventsFrom(trace, from, count, signal)}
        />
      )}
    </div>
  );
}
