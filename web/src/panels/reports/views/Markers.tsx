/** Report on points of interest: spans and instants by name. */

import type { MarkerRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { reportColumns } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

export function Markers({ trace, rows }: { trace: TraceState; rows: readonly MarkerRow[] }) {
  const names = reportColumns<MarkerRow, "markers">(trace, "markers").slice(0, 1);
  return (
    <>
      <ReportTable trace={trace} path="markers" rows={rows} />
      <Measures trace={trace} path="markers" rows={rows} names={names} />
    </>
  );
}
