/** Report on mutexes: holds and waits. */

import type { LockRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { durationCell, reportColumns } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

export function Locks({ trace, rows }: { trace: TraceState; rows: readonly LockRow[] }) {
  const show = ({ max_hold: hold }: LockRow) =>
    durationCell(trace, hold?.ticks, hold?.first_event ?? null);
  const names = reportColumns<LockRow, "locks">(trace, "locks").slice(0, 1);
  return (
    <>
      <ReportTable
        trace={trace}
        path="locks"
        rows={rows}
        special={{ "max_hold.ticks": { show } }}
      />
      {rows.length > 0 && <Measures trace={trace} path="locks" rows={rows} names={names} />}
    </>
  );
}
