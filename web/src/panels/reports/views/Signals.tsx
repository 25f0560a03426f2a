/** Report on events of active objects, by signal and sender. */

import type { SignalRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { reportColumns } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

export function Signals({ trace, rows }: { trace: TraceState; rows: readonly SignalRow[] }) {
  // Signal, sender and receiver.
  const names = reportColumns<SignalRow, "signals">(trace, "signals").slice(0, 3);
  return (
    <>
      <ReportTable trace={trace} path="signals" rows={rows} />
      <Measures trace={trace} path="signals" rows={rows} names={names} />
    </>
  );
}
