/** Report on scheduler counts, in total and by thread. */

import type { Performance as Counts, ThreadRow } from "../../../session/reports";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { FigureList } from "./FigureList";

const COLUMNS: readonly Column<ThreadRow>[] = [
  { title: "Thread", value: (row) => row.name },
  { title: "Suspended", value: (row) => row.suspensions },
  { title: "Resumed", value: (row) => row.resumptions },
  { title: "Dispatched", value: (row) => row.dispatches },
  { title: "Preempted", value: (row) => row.preemptions.solicited + row.preemptions.interrupt },
  { title: "Time slices", value: (row) => row.time_slices },
  { title: "Relinquished", value: (row) => row.relinquishes },
];

export function Performance({
  counts,
  threads,
}: {
  counts: Counts;
  threads: readonly ThreadRow[];
}) {
  return (
    <>
      <FigureList
        label="System"
        figures={[
          { name: "Context switches", value: counts.context_switches },
          { name: "Dispatches", value: counts.dispatches },
          { name: "Time slices", value: counts.time_slices },
          { name: "Preemptions by call", value: counts.preemptions.solicited },
          { name: "Preemptions by interrupt", value: counts.preemptions.interrupt },
          { name: "Thread suspensions", value: counts.suspensions },
          { name: "Thread resumptions", value: counts.resumptions },
          { name: "Priority changes", value: counts.priority_changes },
          { name: "Relinquishes", value: counts.relinquishes },
          { name: "Interrupts", value: counts.interrupts },
          { name: "nested", value: counts.nested_interrupts, isPart: true },
          { name: "Priority inversions", value: counts.inversions.total },
          { name: "unbounded", value: counts.inversions.unbounded, isPart: true },
        ]}
      />
      <SortableTable label="Performance by thread" columns={COLUMNS} rows={threads} />
    </>
  );
}
