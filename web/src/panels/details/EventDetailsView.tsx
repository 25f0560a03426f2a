/** All properties of an event. */

import { backend } from "../../session/backend";
import type { EventDetails, EventLink as LinkedEvent } from "../../session/wire";
import { Button, set } from "../../shell/controls";
import { isThread } from "../../state/contexts";
import {
  countText,
  durationText,
  groupedText,
  shownClock,
  ticksAndTimeText,
} from "../../state/format";
import { step } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
import { FactList } from "../FactList";
import { showObject } from "../objects/selected-object";
import { Preemptions } from "./Preemptions";

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
      {known ? trace.lanes.contextTitle(context) : "unknown"}
      {known && isThread(known) && <span class="muted mono"> {known.address}</span>}
      <span class="context-links">
        <Button
          class="link"
          aria-label={`Previous event of ${known?.name}`}
          onClick={() => void step(trace, "previous", by)}
        >
          previous
        </Button>
        <Button
          class="link"
          aria-label={`Next event of ${known?.name}`}
          onClick={() => void step(trace, "next", by)}
        >
          next
        </Button>
        <Button class="link" onClick={set(trace.stepMode, by)}>
          step by this context
        </Button>
        {lane >= 0 && (
          <Button class="link" onClick={() => trace.lanes.toTop(lane)}>
            move lane to top
          </Button>
        )}
        {known && isThread(known) && <Preemptions trace={trace} context={context} />}
      </span>
    </>
  );
}

function Arguments({ trace, details }: { trace: TraceState; details: EventDetails }) {
  if (details.arguments.length === 0) return null;
  const showSource = backend().standalone?.showSource;
  return (
    <table class="arguments" aria-label="Arguments">
      <tbody>
        {details.arguments.map(({ name, text, raw, object, source }, number) => (
          <tr key={number}>
            <th scope="row">{name}</th>
            <td>
              {object !== null ? (
                <Button
                  class="link"
                  title="Show object history"
                  onClick={() => showObject(trace, object)}
                >
                  {text}
                </Button>
              ) : source !== null && showSource ? (
                <Button class="link" title="Go to source" onClick={() => showSource(source)}>
                  {text}
                </Button>
              ) : (
                groupedText(text)
              )}
            </td>
            <td class="mono muted">{raw}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Links({ trace, details }: { trace: TraceState; details: EventDetails }) {
  const list = (title: string, links: readonly LinkedEvent[]) =>
    links.length > 0 && (
      <section>
        <h3>{title}</h3>
        <ul class="plain-list links">
          {links.map(({ text, event, time }, number) => (
            <li key={number}>
              <EventLink trace={trace} event={event}>
                {text}
              </EventLink>
              <span class="muted">
                {" "}
                event {countText(event)},{" "}
                {durationText(Math.abs(time - details.time), shownClock(trace))}{" "}
                {time < details.time ? "before" : "after"}
              </span>
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <>
      {list(
        "Caused by",
        details.links.filter(({ cause }) => cause),
      )}
      {list(
        "Leads to",
        details.links.filter(({ cause }) => !cause),
      )}
    </>
  );
}

export function EventDetailsView({ trace, details }: { trace: TraceState; details: EventDetails }) {
  const name = (context: number) => trace.overview.contexts[context]?.name ?? "unknown";
  const { priority, threshold, interrupted } = details;
  return (
    <div class="event-details">
      <Arguments trace={trace} details={details} />
      <FactList
        facts={[
          ["Context", <Context trace={trace} context={details.context} />],
          interrupted !== null && ["Interrupted", name(interrupted)],
          priority !== null && [
            "Priority",
            threshold === null || threshold === priority
              ? priority
              : `${priority}, threshold ${threshold}`,
          ],
          ["Next running", details.next_running],
          ["Time", ticksAndTimeText(details.time, trace.frequencyHz.value)],
          ["Since previous event", since(details.since_previous, trace)],
          ["Until next event", since(details.until_next, trace)],
          ["Timestamp", details.timestamp, "mono"],
          trace.overview.cores.length > 1 && ["Core", details.core],
          ["Component", details.component],
          details.symbol !== "" && ["Symbol", details.symbol, "mono"],
        ]}
      />
      <Links trace={trace} details={details} />
    </div>
  );
}
