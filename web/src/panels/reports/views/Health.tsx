/** Completeness of the recording. */

import type { Health as HealthReport } from "../../../session/reports";
import { durationText, shareText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { reportSelection } from "../report-selection";
import { FigureList } from "./FigureList";

export function Health({ trace, health }: { trace: TraceState; health: HealthReport }) {
  const { scope, core, threads } = reportSelection(trace).value;
  const isOfPart = scope !== "whole" || core !== null || threads.length > 0;
  const { clock, coverage, registry, severities } = health;
  const text = (ticks: number | null) =>
    ticks === null ? null : durationText(ticks, shownClock(trace));
  return (
    <>
      {isOfPart && (
        <p class="muted report-scope">
          These figures cover the whole recording, regardless of the selection above.
        </p>
      )}
      <FigureList
        label="Health"
        figures={[
          { name: "Events", value: health.events },
          {
            name: "Events per second",
            value: health.events_per_second === null ? null : Math.round(health.events_per_second),
          },
          {
            name: "Time with known context",
            value: coverage.percent === null ? null : shareText(coverage.percent),
          },
          { name: "from", value: text(coverage.first_ticks), isPart: true },
          { name: "to", value: text(coverage.last_ticks), isPart: true },
          { name: "Older events overwritten", value: health.overwritten ? "yes" : "no" },
          { name: "Gaps", value: health.gaps.length },
          { name: "missing events", value: health.lost_events, isPart: true },
          { name: "Clock", value: clock.quality },
          { name: "bits", value: clock.bits, isPart: true },
          { name: "wrapped", value: clock.wraps, isPart: true },
          { name: "backward steps", value: clock.backward_steps, isPart: true },
          { name: "Registered objects", value: registry.objects },
          { name: "deleted", value: registry.deleted, isPart: true },
          { name: "unregistered threads", value: registry.unnamed_threads, isPart: true },
          { name: "full", value: registry.full ? "yes" : "no", isPart: true },
          { name: "Service routines without exit", value: health.unfinished_isrs },
          { name: "Inferred service routines", value: health.inferred_isrs },
          { name: "Errors", value: severities.error },
          { name: "Warnings", value: severities.warning },
          { name: "Notes", value: severities.info },
        ]}
      />
    </>
  );
}
