/** The table of all events, in step with the timeline; or of the hits of a search. */

import { useSignal } from "@preact/signals";
import { plural } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { hitsBefore } from "../search/run";
import { VirtualTable } from "./VirtualTable";
import "./events.css";

export function EventsPanel({ trace }: { trace: TraceState }) {
  const onlyHits = useSignal(false);
  const searched = trace.searched.value;
  const isSearch = searched !== null && searched.error === null;
  const search = isSearch && onlyHits.value ? searched.search : null;
  return (
    <div class="events-panel">
      {isSearch && (
        <label class="events-choice">
          <input type="checkbox" checked={onlyHits.value}
            onChange={(event) => { onlyHits.value = event.currentTarget.checked; }} />
          Only the {plural(searched.total, "hit")} of {" "}
          <code>{searched.search.filter}</code>
        </label>
      )}
      {search ? (
        <VirtualTable key={`hits ${search.filter}`} trace={trace} label="Hits" total={searched?.total ?? 0}
          source={search.filter} rowOf={(event) => hitsBefore(trace, search, event)}
          fetch={(from, count, signal) => trace.door.ask({ ask: "events", from, count, search }, signal)} />
      ) : (
        <VirtualTable key="events" trace={trace} label="Events" total={trace.overview.events}
          source="events" rowOf={(event) => event}
          fetch={(from, count, signal) => (
            trace.door.ask({ ask: "events", from, count, search: null }, signal))} />
      )}
    </div>
  );
}
