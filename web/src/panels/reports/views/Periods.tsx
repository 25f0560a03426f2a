/** Report on periods. */

import type { PeriodRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { reportColumns } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

export function Periods({ trace, rows }: { trace: TraceState; rows: readonly PeriodRow[] }) {
  // Name and kind.
  const names = reportColumns<PeriodRow, "periods">(trace, "periods").slice(0, 2);
  return (
    <>
      <ReportTable trace={trace} path="periods" rows={rows} />
      <Measures trace={trace} path="periods" rows={rows} names={names} />
    </>
  );
}
