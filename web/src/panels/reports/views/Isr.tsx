/** Report on interrupt service routines. */

import { useSignal } from "@preact/signals";
import type { IsrRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution, duration, share } from "./columns";

const MEASURES = [
  { key: "duration", title: "Duration" },
  { key: "self_duration", title: "Self time" },
  { key: "interarrival", title: "Interval" },
] as const;

export function Isr({ trace, rows }: { trace: TraceState; rows: readonly IsrRow[] }) {
  const measure = useSignal<(typeof MEASURES)[number]["key"]>("duration");
  const columns: Column<IsrRow>[] = [
    { title: "Routine", value: (row) => row.name },
    share("Share", (row) => row.percent),
    duration(trace, "CPU time", (row) => row.ticks),
    { title: "Activations", value: (row) => row.activations },
    { title: "Nested", value: (row) => row.nested },
    { title: "Max nesting", value: (row) => row.max_nesting },
    { title: "Unfinished", value: (row) => row.unfinished },
    { title: "Inferred", value: (row) => row.inferred },
    { title: "Cores", value: (row) => row.cores.join(", ") },
  ];
  const measured: Column<IsrRow>[] = [
    { title: "Routine", value: (row) => row.name },
    ...distribution<IsrRow>(trace, (row) => row[measure.value]),
  ];
  return (
    <>
      <SortableTable
        label="Interrupt service routines"
        columns={columns}
        rows={rows}
        empty="No interrupts."
      />
      <fieldset class="segments" aria-label="Measure">
        {MEASURES.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            aria-pressed={key === measure.value}
            onClick={() => {
              measure.value = key;
            }}
          >
            {title}
          </button>
        ))}
      </fieldset>
      <SortableTable
        label="Durations of interrupt service routines"
        columns={measured}
        rows={rows.filter((row) => row[measure.value] !== null)}
        empty="No complete activation of a routine."
      />
    </>
  );
}
