/** How full the stacks are. */

import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import type { StackRow } from "../document";
import { event, share } from "./columns";

/** As in the findings: crates/analysis/src/report/findings.rs. */
const WARNS = { from: 80, critical: 95 };

export function Stacks({ trace, rows }: { trace: TraceState; rows: readonly StackRow[] }) {
  const columns: Column<StackRow>[] = [
    { title: "Thread", value: (row) => row.thread },
    share("Used", (row) => row.used_percent, WARNS),
    { title: "Size", hint: "Bytes", value: (row) => row.size },
    {
      title: "Least free",
      hint: "Bytes that stayed free at the deepest call",
      value: (row) => row.minimum_free,
      isNumber: true,
    },
    event(trace, "At event", (row) => row.event),
    {
      title: "Outside",
      hint: "Events whose stack pointer lies outside the stack",
      value: (row) => row.outside,
    },
  ];
  return (
    <SortableTable
      label="Stack usage"
      columns={columns}
      rows={rows}
      initial={{ column: 1, descending: true }}
      empty="The recording says nothing about stacks."
    />
  );
}
