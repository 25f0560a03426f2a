/** The findings of the analysis. */

import type { Finding } from "../../../session/reports";
import { groupedText } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { intervalOf, PlaceLink } from "../../PlaceLink";
import "../reports.css";

export function Findings({ trace, findings }: { trace: TraceState; findings: readonly Finding[] }) {
  if (findings.length === 0) return <p class="nothing">No findings.</p>;
  return (
    <ul class="plain-list findings" aria-label="Findings">
      {findings.map((finding, number) => (
        <li key={number} class={finding.severity}>
          <span class="severity">{finding.severity}</span>
          <span class="message">
            {groupedText(finding.message)}
            {finding.event !== null && (
              <>
                {" "}
                –{" "}
                <PlaceLink
                  trace={trace}
                  place={{ event: finding.event, interval: intervalOf(finding) }}
                />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
