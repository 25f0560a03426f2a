/** Events that caused an event, and those that it caused. */

import type { EventDetails, EventLink as LinkedEvent } from "../../session/wire";
import { countText, durationText, shownClock } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";

export function Links({ trace, details }: { trace: TraceState; details: EventDetails }) {
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
