/** Report on events of active objects, by signal and sender. */

import { useSignal } from "@preact/signals";
import type { SignalRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution, duration, event } from "./columns";

const MEASURES = [
  { key: "response", title: "Response", hint: "from post to end of step" },
  { key: "queueing", title: "Queueing", hint: "from post to start of step" },
] as const;

export function Signals({ trace, rows }: { trace: TraceState; rows: readonly SignalRow[] }) {
  const measure = useSignal<(typeof MEASURES)[number]["key"]>("response");
  const who: Column<SignalRow>[] = [
    { title: "Signal", value: (row) => row.signal },
    { title: "Receiver", value: (row) => row.object },
    { title: "Sender", value: (row) => row.sender },
  ];
  const columns: Column<SignalRow>[] = [
    ...who,
    { title: "Posted", value: (row) => row.posted },
    { title: "Handled", hint: "Events with a known step", value: (row) => row.taken },
    duration(
      trace,
      "Slowest",
      (row) => row.slowest?.ticks,
      (row) => row.slowest?.post_event,
    ),
    event(trace, "handled at", (row) => row.slowest?.first_event),
    event(trace, "completed at", (row) => row.slowest?.last_event),
    { title: "Front", hint: "Posted to the front of the queue", value: (row) => row.front },
    { title: "Recalled", hint: "Deferred before", value: (row) => row.recalled },
  ];
  const measured = rows.filter((row) => row[measure.value] !== null);
  return (
    <>
      <SortableTable label="Signals" columns={columns} rows={rows} empty="No posts." />
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
          empty="No measurements."
          columns={[...who, ...distribution<SignalRow>(trace, (row) => row[measure.value])]}
        />
      </section>
    </>
  );
}
