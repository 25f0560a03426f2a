/** The selected range: CPU time, counts, waits and events. */

import type { ComponentChildren } from "preact";
import type { ReportDocument } from "../../session/reports";
import { copyText } from "../../shell/clipboard";
import { Icon } from "../../shell/Icon";
import { durationText, plural, shownClock } from "../../state/format";
import type { TraceState } from "../../state/trace";
import {
  durationCell,
  labelOf,
  reportColumns,
  reportFigures,
  tableOf,
} from "../reports/views/columns";
import { FigureList } from "../reports/views/FigureList";
import { Profile } from "../reports/views/Profile";
import { Services } from "../reports/views/Services";
import type { Column } from "../table/column";
import { SortableTable } from "../table/SortableTable";
import { tsv, tsvLines } from "../table/tsv";
import { longestWaits, type ThreadWaits } from "./longest-waits";
import { commandLine, useRangeReport } from "./range-report";
import "../panel.css";
import "../reports/reports.css";
import "./range.css";

const WAITS = "Longest waits";

function waitColumns(trace: TraceState): Column<ThreadWaits>[] {
  const ticks = (title: string, of: (row: ThreadWaits) => number, links: boolean) => ({
    title,
    value: of,
    isNumber: true,
    show: (row: ThreadWaits) =>
      durationCell(trace, of(row), links ? row.duration.event : undefined),
  });
  return [
    { title: "Thread", value: ({ thread }) => thread },
    {
      title: labelOf("latency.blocking", "object"),
      value: ({ object, reason }) => object ?? reason,
    },
    ticks("Longest", ({ duration }) => duration.max, true),
    ticks("Mean", ({ duration }) => duration.mean, false),
    { title: "Count", value: ({ duration }) => duration.count, isNumber: true },
  ];
}

/** The tables of the panel as text. */
function asText(
  trace: TraceState,
  { start_ticks: from, end_ticks: to, events, ...report }: ReportDocument,
  waits: readonly ThreadWaits[] | null,
): string {
  const table = (title: string, text: string) => `${title}\n${text}`;
  const { profile, performance, services } = report;
  return [
    tsvLines([
      ["From", "To", "Duration", "Events"],
      [from, to, to - from, events],
    ]),
    profile &&
      table(
        tableOf("profile").title,
        tsv(
          reportColumns(trace, "profile"),
          profile.filter(({ ticks }) => ticks > 0),
        ),
      ),
    performance &&
      table(
        tableOf("performance").title,
        tsvLines(
          reportFigures(trace, "performance", performance).map(({ name, value }) => [name, value]),
        ),
      ),
    waits && table(WAITS, tsv(waitColumns(trace), waits)),
    services && table(tableOf("services").title, tsv(reportColumns(trace, "services"), services)),
  ]
    .filter(Boolean)
    .join("\n");
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

export function RangePanel({ trace }: { trace: TraceState }) {
  const { ticks, isOutdated, fast, slow } = useRangeReport(trace);
  const report = fast.answer;
  const hz = shownClock(trace);
  const latency = slow.answer?.latency;
  const waits = latency === undefined ? null : longestWaits(latency);
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
              onClick={() => void copyText(asText(trace, report, waits), "Copied as tables.")}
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
          {report.profile && (
            <Section title={tableOf("profile").title}>
              <Profile trace={trace} rows={report.profile.filter(({ ticks }) => ticks > 0)} />
            </Section>
          )}
          {report.performance && (
            <Section title={tableOf("performance").title}>
              <FigureList
                label={tableOf("performance").title}
                figures={reportFigures(trace, "performance", report.performance)}
              />
            </Section>
          )}
          {slow.error !== null && <p class="problem">{slow.error}</p>}
          {latency && waits && (
            <Section title={WAITS}>
              {latency.not_recorded === null ? (
                <SortableTable
                  label={WAITS}
                  columns={waitColumns(trace)}
                  rows={waits}
                  empty="No wait ended in the range."
                />
              ) : (
                <p class="muted">{latency.not_recorded}</p>
              )}
            </Section>
          )}
          {report.services && (
            <Section title={tableOf("services").title}>
              <Services trace={trace} rows={report.services} />
            </Section>
          )}
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
