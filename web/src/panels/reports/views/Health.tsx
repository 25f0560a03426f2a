/** Completeness of the recording. */

import type { Health as HealthReport } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { reportSelection } from "../report-selection";
import { reportFigures } from "./columns";
import { FigureList } from "./FigureList";

export function Health({ trace, health }: { trace: TraceState; health: HealthReport }) {
  const { scope, core, threads } = reportSelection(trace).value;
  const isOfPart = scope !== "whole" || core !== null || threads.length > 0;
  return (
    <>
      {isOfPart && (
        <p class="muted report-scope">
          These figures cover the whole recording, regardless of the selection above.
        </p>
      )}
      <FigureList label="Health" figures={reportFigures(trace, "health", health)} />
    </>
  );
}
