/** What was recorded, how long, how loaded; and who used the CPU. */

import type { ProfileRow, ReportDocument } from "../../session/reports";
import { Button } from "../../shell/controls";
import { isThread } from "../../state/contexts";
import {
  countText,
  durationText,
  listText,
  plural,
  shareText,
  shownClock,
} from "../../state/format";
import { showLane } from "../../state/shown-lane";
import type { TraceState } from "../../state/trace";
import { classProperty, contextStyle } from "../../timeline/palette";
import { openReport } from "../reports/report-selection";
import { Share } from "../table/Share";
import { cpuUsers, loadPercent, unknownPercent } from "./recording-summary";

/** Maximum number of contexts in the list. */
const MAX_USERS = 6;

function Headline({ trace, report }: { trace: TraceState; report: ReportDocument | null }) {
  const { events, span, clock } = trace.overview;
  const rows = report?.profile ?? [];
  const load = loadPercent(rows);
  const unknown = unknownPercent(rows) ?? 0;
  return (
    <dl class="headline">
      <div>
        <dt>Duration</dt>
        <dd>{clock.no_time === null ? durationText(span, shownClock(trace)) : "not known"}</dd>
      </div>
      <div>
        <dt>Events</dt>
        <dd>{countText(events)}</dd>
      </div>
      <div>
        <dt>CPU load</dt>
        <dd>
          {load === null ? (report === null ? "…" : "not known") : shareText(load)}
          {load !== null && unknown >= 0.05 && <small> {shareText(unknown)} unknown</small>}
        </dd>
      </div>
    </dl>
  );
}

/** The share of a context, in the colour of its band in the CPU load. */
function CpuUser({
  trace,
  row: { context, kind, percent },
}: {
  trace: TraceState;
  row: ProfileRow;
}) {
  const number =
    kind === "thread"
      ? trace.overview.contexts.findIndex((of) => isThread(of) && of.name === context)
      : -1;
  const colour = number < 0 ? `var(${classProperty(kind)})` : contextStyle(trace, number);
  return (
    <li>
      <span class="lane-swatch" style={{ background: colour }} aria-hidden="true" />
      <span class="name" title={number < 0 ? context : trace.lanes.contextTitle(number)}>
        {number < 0 ? (
          context
        ) : (
          <Button class="link" title="Show the lane" onClick={() => showLane(trace, number)}>
            {context}
          </Button>
        )}
      </span>
      <Share percent={percent} />
    </li>
  );
}

export function CpuUsers({ trace, report }: { trace: TraceState; report: ReportDocument }) {
  const { top, others, idle } = cpuUsers(report.profile ?? [], MAX_USERS);
  if (top.length === 0) return null;
  return (
    <section>
      <h3>
        CPU time{" "}
        <Button class="link" onClick={() => openReport(trace, { kind: "profile" })}>
          all contexts
        </Button>
      </h3>
      <ul class="plain-list cpu-users" aria-label="CPU time">
        {top.map((row, number) => (
          <CpuUser key={number} trace={trace} row={row} />
        ))}
        {others.count > 0 && (
          <li>
            <span class="lane-swatch" />
            <span class="name muted">{plural(others.count, "other")}</span>
            <Share percent={others.percent} />
          </li>
        )}
        {idle !== undefined && <CpuUser trace={trace} row={idle} />}
      </ul>
    </section>
  );
}

/** Sentence on what was recorded. */
function recordedText({ overview }: TraceState): string {
  const { cores, contexts, format_description: format } = overview;
  const counted = (kind: string, noun: string) => {
    const count = contexts.filter((context) => context.kind === kind).length;
    return count > 0 ? [plural(count, noun)] : [];
  };
  const contents = [
    plural(cores.length, "core"),
    ...counted("thread", "thread"),
    ...counted("active-object", "active object"),
  ];
  return `${format}: ${listText(contents)}`;
}

export function RecordingSummary({
  trace,
  report,
}: {
  trace: TraceState;
  report: ReportDocument | null;
}) {
  return (
    <section class="recording-summary" aria-label="Summary of the trace">
      <p class="recorded">{recordedText(trace)}</p>
      <Headline trace={trace} report={report} />
    </section>
  );
}
