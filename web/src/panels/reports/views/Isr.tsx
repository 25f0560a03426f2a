/** Report on interrupt service routines. */

import type { IsrRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { durationCell, reportColumns } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

/** Routines without number did take time, whether or not it was recorded. */
const hasKnownTime = ({ number, ticks }: IsrRow) => number !== null || ticks > 0;

export function Isr({ trace, rows }: { trace: TraceState; rows: readonly IsrRow[] }) {
  const show = (row: IsrRow) => (hasKnownTime(row) ? durationCell(trace, row.ticks) : "unknown");
  const names = reportColumns<IsrRow, "isr">(trace, "isr").slice(0, 1);
  return (
    <>
      <ReportTable trace={trace} path="isr" rows={rows} special={{ ticks: { show } }} />
      <Measures trace={trace} path="isr" rows={rows} names={names} />
    </>
  );
}
