/** How complete the recording is. */

import { durationText, shareText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { choice } from "../chosen";
import type { Health as HealthReport } from "../document";
import { Figures } from "./Figures";

export function Health({ trace, health }: { trace: TraceState; health: HealthReport }) {
  const { part, core, threads } = choice(trace).value;
  const isOfPart = part !== "whole" || core !== null || threads.length > 0;
  const { clock, coverage, registry, severities } = health;
  const text = (ticks: number | null) =>
    ticks === null ? null : durationText(ticks, shownClock(trace));
  return (
    <>
      {isOfPart && (
        <p class="muted report-scope">
          These figures are of the whole recording, whatever part and threads are chosen above.
        </p>
      )}
      <Figures
        label="Health"
        figures={[
          { name: "Events", value: health.events },
          {
            name: "Events a second",
            value: health.events_per_second === null ? null : Math.round(health.events_per_second),
          },
          {
            name: "Time of which it is known what executed",
            value: coverage.percent === null ? null : shareText(coverage.percent),
          },
          { name: "from", value: text(coverage.first_ticks), isPart: true },
          { name: "to", value: text(coverage.last_ticks), isPart: true },
          { name: "Older events were overwritten", value: health.overwritten ? "yes" : "no" },
          { name: "Gaps", value: health.gaps.length },
          { name: "events missing in them", value: health.lost_events, isPart: true },
          { name: "Clock", value: clock.quality },
          { name: "bits", value: clock.bits, isPart: true },
          { name: "wrapped", value: clock.wraps, isPart: true },
          { name: "backward steps", value: clock.backward_steps, isPart: true },
          { name: "Objects in the registry", value: registry.objects },
          { name: "deleted", value: registry.deleted, isPart: true },
          { name: "threads without an entry", value: registry.unnamed_threads, isPart: true },
          { name: "full", value: registry.full ? "yes" : "no", isPart: true },
          { name: "Interrupt routines without an exit", value: health.unfinished_isrs },
          { name: "Interrupt routines inferred", value: health.inferred_isrs },
          { name: "Errors", value: severities.error },
          { name: "Warnings", value: severities.warning },
          { name: "Remarks", value: severities.info },
        ]}
      />
    </>
  );
}
