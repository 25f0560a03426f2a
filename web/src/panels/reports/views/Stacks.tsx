/** Report on stack usage. */

import type { StackRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { Share } from "../../table/Share";
import { ReportTable } from "./ReportTable";

/** As in the findings: crates/analysis/src/report. */
const WARNS = { from: 80, critical: 95 };

export function Stacks({ trace, rows }: { trace: TraceState; rows: readonly StackRow[] }) {
  const show = (row: StackRow) => <Share percent={row.used_percent} warns={WARNS} />;
  return (
    <ReportTable
      trace={trace}
      path="stacks"
      rows={rows}
      special={{ used_percent: { show } }}
      sortedBy="used_percent"
    />
  );
}
