/** The selected range: CPU time, counts, waits and events. */

import type { DescribedTable, ReportTables } from "../../session/reports";
import { copyText } from "../../shell/clipboard";
import { Icon } from "../../shell/Icon";
import { durationText, plural, shownClock } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { allColumns } from "../reports/views/columns";
import { ReportTable } from "../reports/views/ReportTable";
import { tsv, tsvLines } from "../table/tsv";
import { longestWaits } from "./longest-waits";
import { commandLine, useRangeReport } from "./range-report";
import "../panel.css";
import "../reports/reports.css";
import "./range.css";

/** The tables of the panel as text. */
function asText(
  trace: TraceState,
  { start_ticks: from, end_ticks: to, events }: ReportTables,
  tables: readonly DescribedTable[],
): string {
  return [
    tsvLines([
      ["From", "To", "Duration", "Events"],
      [from, to, to - from, events],
    ]),
    ...tables.map((table) => `${table.title}\n${tsv(allColumns(trace, table), table.rows)}`),
  ].join("\n");
}

export function RangePanel({ trace }: { trace: TraceState }) {
  const { ticks, isOutdated, fast, slow } = useRangeReport(trace);
  const report = fast.answer;
  const hz = shownClock(trace);
  const waits = slow.answer && longestWaits(slow.answer);
  const tables = [...(report?.tables ?? []), ...(waits ? [waits] : [])];
  // A live trace has no file yet.
  const command = ticks && trace.live === null && commandLine(trace.overview.name, ticks);
  return (
    <div class="panel range">
      {report && (
        <>
          <dl class="facts">
            <dt>From</dt>
            <dd data-testid="range-from">{durationText(report.start_ticks, hz)}</dd>
            <dt>To</dt>
            <dd data-testid="range-to">{durationText(report.end_ticks, hz)}</dd>
            <dt>Duration</dt>
            <dd>
              {durationText(report.span_ticks, hz)}, {plural(report.events, "event")}
            </dd>
          </dl>
          <div class="row">
            <button
              type="button"
              onClick={() => {
                const range = trace.range.peek();
                if (range === null) return;
                const { start, end } = range;
                trace.show(Math.min(start, end), Math.max(start, end));
              }}
            >
              Zoom in
            </button>
            <button
              type="button"
              title="All tables, separated by tabs; times in ticks"
              disabled={isOutdated || fast.isWaiting || (slow.isWaiting && slow.error === null)}
              onClick={() => void copyText(asText(trace, report, tables), "Copied as tables.")}
            >
              <Icon name="copy" /> Copy as table
            </button>
            <button
              type="button"
              onClick={() => {
                trace.range.value = null;
              }}
            >
              Clear
            </button>
          </div>
        </>
      )}
      {fast.error !== null && <p class="problem">{fast.error}</p>}
      {report && (
        <div class="report" aria-busy={isOutdated || fast.isWaiting || slow.isWaiting}>
          {tables.map((table) => (
            <section key={table.path}>
              <h3>{table.title}</h3>
              <ReportTable trace={trace} table={table} />
            </section>
          ))}
          {slow.error !== null && <p class="problem">{slow.error}</p>}
          {slow.answer && !waits && <p class="nothing">No wait ended in the range.</p>}
        </div>
      )}
      {command && (
        <p class="range-command">
          <code>{command}</code>{" "}
          <button
            type="button"
            class="plain"
            aria-label="Copy the command"
            title="Copy the command"
            onClick={() => void copyText(command, "Copied the command.")}
          >
            <Icon name="copy" />
          </button>
        </p>
      )}
    </div>
  );
}
