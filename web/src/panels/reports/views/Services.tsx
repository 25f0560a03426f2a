/** Report on the most frequent event kinds. */

import type { ServiceRow } from "../../../session/reports";
import { step } from "../../../state/navigation";
import type { TraceState } from "../../../state/trace";
import { ReportTable } from "./ReportTable";

export function Services({ trace, rows }: { trace: TraceState; rows: readonly ServiceRow[] }) {
  const follow = (kind: number) => {
    trace.stepMode.value = { mode: "kind", kind };
    void step(trace, "next");
  };
  const show = (row: ServiceRow) => (
    <button type="button" class="link" title="Go to next" onClick={() => follow(row.id)}>
      {row.name}
    </button>
  );
  return (
    <ReportTable
      trace={trace}
      path="services"
      rows={rows}
      special={{ name: { show } }}
      sortedBy="count"
    />
  );
}
