/** Reports on the trace or a part of it. */

import { Options } from "../../shell/controls";
import { durationText, plural, shownClock } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { reportSelection, selectReport } from "./report-selection";
import { Scope } from "./Scope";
import { useReport } from "./useReport";
import { ReportView } from "./views/ReportView";
import "../panel.css";
import "./reports.css";

export function ReportsPanel({ trace }: { trace: TraceState }) {
  const { kind } = reportSelection(trace).value;
  const { answer, error, isWaiting } = useReport(trace);
  return (
    <div class="panel reports">
      <div class="row scope">
        <select
          aria-label="Report"
          value={kind}
          onChange={({ currentTarget }) => selectReport(trace, { kind: currentTarget.value })}
        >
          <Options of={trace.overview.reports.map(({ kind: of, title }) => [of, title])} />
        </select>
        <Scope trace={trace} anchors={answer?.anchors ?? []} />
        {answer && (
          <span class="muted report-scope">
            {plural(answer.events, "event")} in {durationText(answer.span, shownClock(trace))}
          </span>
        )}
      </div>
      {error !== null && <p class="problem">{error}</p>}
      {answer && (
        <div class="report" aria-busy={isWaiting}>
          <ReportView trace={trace} kind={kind} report={answer} />
        </div>
      )}
    </div>
  );
}
