/** The findings of the analysis. */

import type { Finding } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { EventLink } from "../../EventLink";
import "../reports.css";

export function Findings({ trace, findings }: { trace: TraceState; findings: readonly Finding[] }) {
  if (findings.length === 0) return <p class="nothing">No findings.</p>;
  return (
    <ul class="plain-list findings" aria-label="Findings">
      {findings.map(({ severity, message, event }, number) => (
        <li key={number} class={severity}>
          <span class="severity">{severity}</span>
          <span class="message">
            {message}
            {event !== null && (
              <>
                {" "}
                –{" "}
                <EventLink trace={trace} event={event}>
                  event {event}
                </EventLink>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
