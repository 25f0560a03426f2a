/** Report on the most frequent event kinds. */

import type { ServiceRow } from "../../../session/reports";
import { step } from "../../../state/navigation";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { share } from "./columns";

export function Services({ trace, rows }: { trace: TraceState; rows: readonly ServiceRow[] }) {
  const follow = (kind: number) => {
    trace.stepMode.value = { mode: "kind", kind };
    void step(trace, "next");
  };
  const columns: Column<ServiceRow>[] = [
    {
      title: "Service",
      value: (row) => row.name,
      show: (row) => (
        <button type="button" class="link" title="Go to next" onClick={() => follow(row.id)}>
          {row.name}
        </button>
      ),
    },
    { title: "Count", value: (row) => row.count },
    share("Share", (row) => row.percent),
    { title: "Component", value: (row) => row.component },
    { title: "Contexts", value: (row) => row.contexts },
    { title: "Id", value: (row) => row.id },
  ];
  return (
    <SortableTable
      label="Popular services"
      columns={columns}
      rows={rows}
      initial={{ column: 1, descending: true }}
    />
  );
}
