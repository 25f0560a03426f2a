/** Properties and diagnostics of the trace. */

import type { ReportDocument } from "../../session/reports";
import { command } from "../../shell/commands";
import { Button } from "../../shell/controls";
import { clockSourceText } from "../../state/clock";
import { isActiveObject } from "../../state/contexts";
import { countText, frequencyText, groupedText, plural, ticksText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
import { type Fact, FactList } from "../FactList";
import { PlaceLink } from "../PlaceLink";
import { useFindings } from "../reports/useReport";
import { Findings } from "../reports/views/Findings";
import { soundnessText } from "./problems";
import { CpuUsers, RecordingSummary } from "./RecordingSummary";
import "../panel.css";
import "./trace-info.css";

function Facts({ trace }: { trace: TraceState }) {
  const { name, span, clock, cores, contexts, objects, machines, inversions } = trace.overview;
  const threads = contexts.filter(({ kind }) => kind === "thread").length;
  const activeObjects = contexts.filter(isActiveObject).length;
  const hz = trace.frequencyHz.value;
  const source = clockSourceText(trace.clockSource.value);
  const frequency =
    hz === null
      ? "frequency unknown"
      : `${frequencyText(hz)}${source === null ? "" : ` (${source})`}`;
  return (
    <FactList
      facts={[
        ["Name", name],
        ["Format", trace.overview.format_description],
        ...trace.overview.facts.map(
          ({ label, value }): Fact => [
            label.charAt(0).toUpperCase() + label.slice(1),
            groupedText(value),
          ],
        ),
        hz !== null && ["Ticks", ticksText(span)],
        [
          "Clock",
          <>
            {frequency}, {clock.bits} bits, counts {clock.direction}{" "}
            <Button class="link" onClick={command("clock").run}>
              change
            </Button>
          </>,
        ],
        ["Clock quality", clock.no_time ?? clock.quality],
        ["Cores", `${cores.length} (${cores.join(", ")})`],
        (threads > 0 || activeObjects === 0) && ["Threads", countText(threads)],
        activeObjects > 0 && ["Active objects", countText(activeObjects)],
        activeObjects > 0 && ["State machines", countText(machines.length)],
        ["Objects", countText(objects.length)],
        inversions > 0 && ["Priority inversions", countText(inversions)],
      ]}
    />
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
      {answer && <CpuUsers trace={trace} report={answer} />}
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
