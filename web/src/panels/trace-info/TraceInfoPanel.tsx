/** Properties and diagnostics of the trace. */

import { Fragment } from "preact";
import type { ReportDocument } from "../../session/reports";
import { command } from "../../shell/commands";
import { isActiveObject } from "../../state/contexts";
import { countText, frequencyText, groupedText, plural, ticksText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
import { PlaceLink } from "../PlaceLink";
import { useFindings } from "../reports/useReport";
import { Findings } from "../reports/views/Findings";
import { soundnessText } from "./problems";
import { RecordingSummary } from "./RecordingSummary";
import "../panel.css";
import "./trace-info.css";

const QUALITY: Record<string, string> = {
  good: "good",
  unknown: "unknown",
};

function Facts({ trace }: { trace: TraceState }) {
  const { name, span, clock, cores, contexts, objects, machines, inversions } = trace.overview;
  const threads = contexts.filter(({ kind }) => kind === "thread").length;
  const activeObjects = contexts.filter(isActiveObject).length;
  const hz = trace.frequencyHz.value;
  return (
    <dl class="facts">
      <dt>Name</dt>
      <dd>{name}</dd>
      <dt>Format</dt>
      <dd>{trace.overview.format_description}</dd>
      {trace.overview.facts.map(({ label, value }) => (
        <Fragment key={label}>
          <dt>{label.charAt(0).toUpperCase() + label.slice(1)}</dt>
          <dd>{groupedText(value)}</dd>
        </Fragment>
      ))}
      {hz !== null && (
        <>
          <dt>Ticks</dt>
          <dd>{ticksText(span)}</dd>
        </>
      )}
      <dt>Clock</dt>
      <dd>
        {hz === null ? "frequency unknown" : frequencyText(hz)}
        {", "}
        {clock.bits} bits, counts {clock.direction}{" "}
        <button type="button" class="link" onClick={command("clock").run}>
          change
        </button>
      </dd>
      <dt>Clock quality</dt>
      <dd>{clock.no_time ?? QUALITY[clock.quality] ?? clock.quality}</dd>
      <dt>Cores</dt>
      <dd>
        {cores.length} ({cores.join(", ")})
      </dd>
      {(threads > 0 || activeObjects === 0) && (
        <>
          <dt>Threads</dt>
          <dd>{countText(threads)}</dd>
        </>
      )}
      {activeObjects > 0 && (
        <>
          <dt>Active objects</dt>
          <dd>{countText(activeObjects)}</dd>
          <dt>State machines</dt>
          <dd>{countText(machines.length)}</dd>
        </>
      )}
      <dt>Objects</dt>
      <dd>{countText(objects.length)}</dd>
      <dt>Priority inversions</dt>
      <dd>{countText(inversions)}</dd>
    </dl>
  );
}

function Diagnostics({ trace, report }: { trace: TraceState; report: ReportDocument | null }) {
  const { diagnostics } = trace.overview;
  if (diagnostics.length === 0)
    return <p class="nothing">{soundnessText(trace.overview, report)}</p>;
  return (
    <ul class="plain-list diagnostics">
      {diagnostics.map(({ severity, kind, message, event, count }, number) => (
        <li key={number} class={severity}>
          <b>{severity}</b>
          <span>
            {groupedText(message)}
            {count > 1 && <span class="muted"> ({countText(count)} ×)</span>}
            {event !== null && (
              <>
                {" "}
                at <PlaceLink trace={trace} place={{ event }} />
              </>
            )}
          </span>
          <span class="muted mono">{kind}</span>
        </li>
      ))}
    </ul>
  );
}

const MAX_GAPS = 200;

function Gaps({ trace }: { trace: TraceState }) {
  const { gaps } = trace.overview;
  if (gaps.length === 0) return null;
  return (
    <section>
      <h3>Gaps</h3>
      <ul class="plain-list">
        {gaps.slice(0, MAX_GAPS).map(({ event, missing, restart }) => (
          <li key={event}>
            {restart
              ? "Target restarted at"
              : `${missing === null ? "Events are" : `Up to ${plural(missing, "event")}`} missing before`}{" "}
            <EventLink trace={trace} event={event} />
          </li>
        ))}
      </ul>
      {gaps.length > MAX_GAPS && <p class="muted">and {countText(gaps.length - MAX_GAPS)} more</p>}
    </section>
  );
}

export function TraceInfoPanel({ trace }: { trace: TraceState }) {
  const { answer, error } = useFindings(trace);
  return (
    <div class="panel trace-info">
      <RecordingSummary trace={trace} report={answer} />
      <section>
        <h3>Findings</h3>
        {error !== null && <p class="problem">{error}</p>}
        {answer && <Findings trace={trace} findings={answer.findings} />}
      </section>
      <section>
        <h3>Diagnostics of the file</h3>
        <Diagnostics trace={trace} report={answer} />
      </section>
      <Gaps trace={trace} />
      <section>
        <h3>Recording</h3>
        <Facts trace={trace} />
      </section>
    </div>
  );
}
