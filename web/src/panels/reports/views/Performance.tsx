/** Report on scheduler counts, in total and by thread. */

import type { Performance as Counts, ThreadRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { reportFigures } from "./columns";
import { FigureList } from "./FigureList";
import { ReportTable } from "./ReportTable";

interface PerformanceProps {
  trace: TraceState;
  counts: Counts;
  threads: readonly ThreadRow[];
}

export function Performance({ trace, counts, threads }: PerformanceProps) {
  return (
    <>
      <FigureList label="System" figures={reportFigures(trace, "performance", counts)} />
      <ReportTable trace={trace} path="threads" rows={threads} />
    </>
  );
}
