/** Report on CPU time by context. */

import type { ProfileRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { duration, share } from "./columns";

export function Profile({ trace, rows }: { trace: TraceState; rows: readonly ProfileRow[] }) {
  const columns: Column<ProfileRow>[] = [
    { title: "Context", value: (row) => row.context },
    share("Share", (row) => row.percent),
    duration(trace, "CPU time", (row) => row.ticks),
  ];
  return (
    <SortableTable
      label="Execution profile"
      columns={columns}
      rows={rows}
      initial={{ column: 1, descending: true }}
    />
  );
}
