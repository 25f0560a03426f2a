/** Graph of contexts, the objects that they use, and what they send to each other. */

import { useMemo } from "preact/hooks";
import { Button } from "../../shell/controls";
import { follow, goToEvent } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { GraphDiagram } from "../diagrams/GraphDiagram";
import { graphStyles } from "../diagrams/styles";
import { useRenderedGraph } from "../diagrams/useRenderedGraph";
import { useRangeTicks } from "../range/range-report";
import { openReport } from "../reports/report-selection";
import { useAnswer } from "../useAnswer";
import { type Goal, goalOf, markGoals } from "./goals";
import "../panel.css";
import "../diagrams/diagrams.css";

/** Styles of the graph on the page. */
const styles = graphStyles(`
.node path, .node polygon, .node polyline, .node ellipse { fill: var(--surface-sunken); stroke: var(--line-strong); }
.node.context path, .node.context polygon { fill: var(--surface); stroke: var(--accent); stroke-width: 1.5; }
[data-goal] { cursor: pointer; }
[data-goal]:hover text { text-decoration: underline; }
[data-goal]:hover > path { stroke: var(--accent); }
`);

function goTo(trace: TraceState, { kind, number }: Goal): void {
  if (kind === "event") void goToEvent(trace, number);
  else if (kind === "context") follow(trace, { mode: "context", context: number });
  else follow(trace, { mode: "object", object: number });
}

export function CommunicationPanel({ trace }: { trace: TraceState }) {
  const { ticks } = useRangeTicks(trace);
  const part = { start: ticks?.from ?? null, end: ticks?.to ?? null };
  const asked = useAnswer(trace, {
    query: "communication",
    ...part,
    format: "dot",
  });
  const drawn = useRenderedGraph(asked.answer?.text);
  const picture = drawn?.picture ?? null;
  useMemo(() => picture && markGoals(picture.svg, trace.overview), [picture]);
  const where = ticks === null ? "the whole trace" : "the selected range";
  return (
    <div class="panel full diagram-panel">
      <div class="row">
        <span>Communication in {where}</span>
        <Button
          onClick={() =>
            openReport(trace, {
              kind: "communication",
              scope: ticks === null ? "whole" : "range",
            })
          }
        >
          Show as tables
        </Button>
      </div>
      <GraphDiagram
        trace={trace}
        label="Communication graph"
        file="communication"
        asked={asked}
        drawn={drawn}
        make={async (format) =>
          (await trace.client.query<"communication">({ query: "communication", ...part, format }))
            .text
        }
        tooMany={`The graph has ${asked.answer?.skipped} contexts, objects and connections`}
        nothing={`No communication is recorded in ${where}.`}
        styles={styles()}
        pick={(target) => {
          const element = target.closest("[data-goal]");
          const goal = element && goalOf(element);
          if (goal) goTo(trace, goal);
        }}
      />
    </div>
  );
}
