/** Report on CPU time by context. */

import type { ProfileRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { ReportTable } from "./ReportTable";

export function Profile({ trace, rows }: { trace: TraceState; rows: readonly ProfileRow[] }) {
  return <ReportTable trace={trace} path="profile" rows={rows} sortedBy="ticks" />;
}
