/** Report on stack usage. */

import type { StackRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { event, share } from "./columns";

/** As in the findings: crates/analysis/src/report. */
const WARNS = { from: 80, critical: 95 };

export function Stacks({ trace, rows }: { trace: TraceState; rows: readonly StackRow[] }) {
  const columns: Column<StackRow>[] = [
    { title: "Thread", value: (row) => row.thread },
    share("Used", (row) => row.used_percent, WARNS),
    { title: "Size", hint: "Bytes", value: (row) => row.size },
    {
      title: "Min free",
      hint: "Free bytes at the deepest call",
      value: (row) => row.min_free,
      isNumber: true,
    },
    event(trace, "at event", (row) => row.event),
    {
      title: "Outside",
      hint: "Events with a stack pointer outside the stack",
      value: (row) => row.outside,
    },
  ];
  return (
    <SortableTable
      label="Stack usage"
      columns={columns}
      rows={rows}
      initial={{ column: 1, descending: true }}
      empty="No stack information in the recording."
    />
  );
}
