/** The findings of the analysis. */

import type { Finding } from "../../../session/reports";
import { groupedText } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { PlaceLink } from "../../PlaceLink";
import "../reports.css";

export function Findings({ trace, findings }: { trace: TraceState; findings: readonly Finding[] }) {
  if (findings.length === 0) return <p class="nothing">No findings.</p>;
  return (
    <ul class="plain-list findings" aria-label="Findings">
      {findings.map(({ severity, category, message, event }, number) => (
        <li key={number} class={severity}>
          <span class="severity">{severity}</span>
          <span class="message">
            {groupedText(message)}
            {event !== null && (
              <>
                {" "}
                – <PlaceLink trace={trace} place={{ event, category }} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
