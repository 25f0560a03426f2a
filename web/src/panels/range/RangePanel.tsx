/** The selected range: CPU time, counts, waits and events. */

import type { DescribedTable, ReportTables } from "../../session/reports";
import { copyText } from "../../shell/clipboard";
import { Button, IconButton, set } from "../../shell/controls";
import { Icon } from "../../shell/Icon";
import { durationText, plural, shownClock } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { FactList } from "../FactList";
import { allColumns } from "../reports/views/columns";
import { ReportTable } from "../reports/views/ReportTable";
import { tsv, tsvLines } from "../table/table-text";
import { longestWaits } from "./longest-waits";
import { rangeCommand, useRangeReport } from "./range-report";
import { ThreadTable } from "./ThreadTable";
import "../panel.css";
import "../reports/reports.css";
import "./range.css";

/** The tables of the panel as text. */
function asText(
  trace: TraceState,
  { start: from, end: to, events }: ReportTables,
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
  const { ticks, isOutdated, fast, slow, contexts, ofLanes } = useRangeReport(trace);
  const report = fast.answer;
  const hz = shownClock(trace);
  const waits = slow.answer && longestWaits(slow.answer);
  // The table of the selected lanes has their CPU time.
  const shown = report?.tables.filter(({ path }) => contexts.length === 0 || path !== "profile");
  const tables = [...(shown ?? []), ...(waits ? [waits] : [])];
  // A live trace has no file yet.
  const command = ticks && trace.live === null && rangeCommand(trace, ticks, contexts);
  return (
    <div class="panel range">
      {report && (
        <>
          <FactList
            facts={[
              ["From", <span data-testid="range-from">{durationText(report.start, hz)}</span>],
              ["To", <span data-testid="range-to">{durationText(report.end, hz)}</span>],
              ["Duration", `${durationText(report.span, hz)}, ${plural(report.events, "event")}`],
            ]}
          />
          <div class="row">
            <Button
              onClick={() => {
                const range = trace.range.peek();
                if (range === null) return;
                const { start, end } = range;
                trace.show(Math.min(start, end), Math.max(start, end));
              }}
            >
              Zoom in
            </Button>
            <Button
              title="All tables, separated by tabs; times in ticks"
              disabled={isOutdated || fast.isWaiting || (slow.isWaiting && slow.error === null)}
              onClick={() => void copyText(asText(trace, report, tables), "Copied as tables.")}
            >
              <Icon name="copy" /> Copy as table
            </Button>
            <Button onClick={set(trace.range, null)}>Clear</Button>
          </div>
        </>
      )}
      {fast.error !== null && <p class="problem">{fast.error}</p>}
      {report && (
        <div class="report" aria-busy={isOutdated || fast.isWaiting || slow.isWaiting}>
          {contexts.length > 0 ? (
            ofLanes && <ThreadTable trace={trace} reports={ofLanes} contexts={contexts} />
          ) : (
            <p class="muted">
              <kbd>Ctrl</kbd> or <kbd>Shift</kbd> and a click on names of lanes: only these, in one
              table.
            </p>
          )}
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
          <IconButton
            icon="copy"
            label="Copy the command"
            title="Copy the command"
            onClick={() => void copyText(command, "Copied the command.")}
          />
        </p>
      )}
    </div>
  );
}
