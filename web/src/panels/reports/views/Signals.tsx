/** Events of active objects, by signal and sender. */

import { useSignal } from "@preact/signals";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import type { SignalRow } from "../document";
import { distribution, duration, event } from "./columns";

const MEASURES = [
  { key: "response", title: "Response", hint: "from the post to the end of the step" },
  { key: "queueing", title: "Queueing", hint: "from the post to the beginning of the step" },
] as const;

export function Signals({ trace, rows }: { trace: TraceState; rows: readonly SignalRow[] }) {
  const measure = useSignal<(typeof MEASURES)[number]["key"]>("response");
  const who: Column<SignalRow>[] = [
    { title: "Signal", value: (row) => row.signal },
    { title: "To", value: (row) => row.object },
    { title: "From", value: (row) => row.sender },
  ];
  const columns: Column<SignalRow>[] = [
    ...who,
    { title: "Posted", value: (row) => row.posted },
    { title: "Taken", hint: "Of which it is known when", value: (row) => row.taken },
    duration(
      trace,
      "Slowest",
      (row) => row.slowest?.ticks,
      (row) => row.slowest?.post_event,
    ),
    event(trace, "taken at", (row) => row.slowest?.first_event),
    event(trace, "done at", (row) => row.slowest?.last_event),
    { title: "Front", hint: "Posted at the front of the queue", value: (row) => row.front },
    { title: "Recalled", hint: "Deferred before", value: (row) => row.recalled },
  ];
  const measured = rows.filter((row) => row[measure.value] !== null);
  return (
    <>
      <SortableTable
        label="Signals"
        columns={columns}
        rows={rows}
        empty="No event was posted here."
      />
      <section>
        <h3>Durations</h3>
        <fieldset class="segments" aria-label="Measure">
          {MEASURES.map(({ key, title, hint }) => (
            <button
              key={key}
              type="button"
              aria-pressed={key === measure.value}
              title={hint}
              onClick={() => {
                measure.value = key;
              }}
            >
              {title}
            </button>
          ))}
        </fieldset>
        <SortableTable
          label="Durations by signal"
          rows={measured}
          empty="Nothing was measured."
          columns={[...who, ...distribution<SignalRow>(trace, (row) => row[measure.value])]}
        />
      </section>
    </>
  );
}
