/** How often a thread was preempted, and most by which context. */

import type { ReportDocument } from "../../session/documents";
import { Button } from "../../shell/controls";
import { plural } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { openReport } from "../reports/report-selection";
import { reportQuery } from "../reports/useReport";
import { useAnswer } from "../useAnswer";

export function Preemptions({ trace, context }: { trace: TraceState; context: number }) {
  const isReported = trace.overview.reports.some(({ kind }) => kind === "preemptions");
  const { answer } = useAnswer(
    trace,
    isReported ? reportQuery(["preemptions"], { threads: [context], tables: false }) : null,
    null,
    trace.isFollowing.value,
  );
  const rows = (answer as ReportDocument | null)?.preemptions ?? [];
  const [most] = rows;
  if (most === undefined) return null;
  const times = rows.reduce((sum, { count }) => sum + count, 0);
  return (
    <Button
      class="link"
      title="Show who preempted it, and for how long"
      onClick={() => openReport(trace, { kind: "preemptions", threads: [context], scope: "whole" })}
    >
      preempted {plural(times, "time")}, {rows.length > 1 && "most "}by {most.by}
    </Button>
  );
}
