/** All properties of an event. */

import type { EventDetails } from "../../session/wire";
import { isThread } from "../../state/contexts";
import { durationText, shownClock, ticksAndTimeText } from "../../state/format";
import { step } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { Arguments } from "./Arguments";
import { Links } from "./Links";

function since(ticks: number | null, trace: TraceState): string {
  return ticks === null ? "–" : durationText(ticks, shownClock(trace));
}

function Context({ trace, context }: { trace: TraceState; context: number }) {
  const known = trace.overview.contexts[context];
  const by = { mode: "context", context } as const;
  const lane = trace.overview.lanes.findIndex(
    (one) => one.kind === "thread" && one.context === context,
  );
  return (
    <>
      {known?.name ?? "unknown"}
      {known && isThread(known) && <span class="muted mono"> {known.address}</span>}
      <span class="context-links">
        <button
          type="button"
          class="link"
          aria-label={`Previous event of ${known?.name}`}
          onClick={() => void step(trace, "previous", by)}
        >
          previous
        </button>
        <button
          type="button"
          class="link"
          aria-label={`Next event of ${known?.name}`}
          onClick={() => void step(trace, "next", by)}
        >
          next
        </button>
        <button
          type="button"
          class="link"
          onClick={() => {
            trace.stepMode.value = by;
          }}
        >
          step by this context
        </button>
        {lane >= 0 && (
          <button type="button" class="link" onClick={() => trace.lanes.toTop(lane)}>
            move lane to top
          </button>
        )}
      </span>
    </>
  );
}

export function EventDetailsView({ trace, details }: { trace: TraceState; details: EventDetails }) {
  const name = (context: number) => trace.overview.contexts[context]?.name ?? "unknown";
  const { priority, threshold, interrupted } = details;
  return (
    <div class="event-details">
      <Arguments trace={trace} details={details} />
      <dl class="facts">
        <dt>Context</dt>
        <dd>
          <Context trace={trace} context={details.context} />
        </dd>
        {interrupted !== null && (
          <>
            <dt>Interrupted</dt>
            <dd>{name(interrupted)}</dd>
          </>
        )}
        {priority !== null && (
          <>
            <dt>Priority</dt>
            <dd>
              {priority}
              {threshold !== null && threshold !== priority && `, threshold ${threshold}`}
            </dd>
          </>
        )}
        <dt>Next running</dt>
        <dd>{details.next_running}</dd>
        <dt>Time</dt>
        <dd>{ticksAndTimeText(details.time, trace.frequencyHz.value)}</dd>
        <dt>Since previous event</dt>
        <dd>{since(details.since_previous, trace)}</dd>
        <dt>Until next event</dt>
        <dd>{since(details.until_next, trace)}</dd>
        <dt>Timestamp</dt>
        <dd class="mono">{details.timestamp}</dd>
        {trace.overview.cores.length > 1 && (
          <>
            <dt>Core</dt>
            <dd>{details.core}</dd>
          </>
        )}
        <dt>Component</dt>
        <dd>{details.component}</dd>
        {details.symbol !== "" && (
          <>
            <dt>Symbol</dt>
            <dd class="mono">{details.symbol}</dd>
          </>
        )}
      </dl>
      <Links trace={trace} details={details} />
    </div>
  );
}
