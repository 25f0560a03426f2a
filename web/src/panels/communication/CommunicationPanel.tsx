/** Graph of contexts, the objects that they use, and what they send to each other. */

import { useMemo } from "preact/hooks";
import { goToEvent, step } from "../../state/navigation";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { DiagramView } from "../diagrams/DiagramView";
import { type DiagramFormat, SaveAs, stemOf } from "../diagrams/SaveAs";
import { useRenderedGraph } from "../diagrams/useRenderedGraph";
import { useRangeTicks } from "../range/range-report";
import { selectReport } from "../reports/report-selection";
import { useAnswer } from "../useAnswer";
import { communicationStyles } from "./communication-styles";
import { type Goal, goalOf, markGoals } from "./goals";
import "../panel.css";
import "../diagrams/diagrams.css";

function goTo(trace: TraceState, { kind, number }: Goal): void {
  if (kind === "event") {
    void goToEvent(trace, number);
    return;
  }
  const by =
    kind === "context"
      ? ({ mode: "context", context: number } as const)
      : ({ mode: "object", object: number } as const);
  trace.stepMode.value = by;
  void step(trace, "next", by);
}

export function CommunicationPanel({ trace }: { trace: TraceState }) {
  const { ticks } = useRangeTicks(trace);
  const part = { start: ticks?.from ?? null, end: ticks?.to ?? null };
  const { answer, error } = useAnswer(trace, {
    query: "communication",
    ...part,
    format: "dot",
  });
  const drawn = useRenderedGraph(answer?.text);
  const picture = drawn?.picture ?? null;
  useMemo(() => picture && markGoals(picture.svg, trace.overview), [picture]);
  const text = (format: "dot" | "mermaid") => async () =>
    (await trace.client.query<"communication">({ query: "communication", ...part, format })).text;
  const formats: DiagramFormat[] = [
    {
      title: "SVG image",
      extension: "svg",
      type: "image/svg+xml",
      make: () => drawn?.text ?? "",
    },
    { title: "DOT (Graphviz)", extension: "dot", type: "text/vnd.graphviz", make: text("dot") },
    { title: "Mermaid", extension: "mmd", type: "text/plain", make: text("mermaid") },
  ];
  const problem = error ?? drawn?.error ?? null;
  const where = ticks === null ? "the whole trace" : "the selected range";
  return (
    <div class="panel full diagram-panel">
      <div class="row">
        <span>Communication in {where}</span>
        <button
          type="button"
          onClick={() => {
            selectReport(trace, {
              kind: "communication",
              scope: ticks === null ? "whole" : "range",
            });
            settings.sidePanel.value = "reports";
          }}
        >
          Show as tables
        </button>
      </div>
      {problem !== null && <p class="problem">{problem}</p>}
      {answer !== null && answer.skipped > 0 && (
        <p class="nothing">
          The graph has {answer.skipped} contexts, objects and connections: too many for a diagram.
        </p>
      )}
      {answer !== null && answer.skipped === 0 && answer.shown === 0 && (
        <p class="nothing">No communication is recorded in {where}.</p>
      )}
      {answer !== null && answer.shown > 0 && drawn === null && <p class="nothing">Rendering…</p>}
      {picture !== null && answer !== null && answer.shown > 0 && (
        <DiagramView
          label="Communication graph"
          picture={picture}
          styles={communicationStyles()}
          fit
          pick={(target) => {
            const element = target.closest("[data-goal]");
            const goal = element && goalOf(element);
            if (goal) goTo(trace, goal);
          }}
        >
          <SaveAs name={`${stemOf(trace.overview.name)}-communication`} formats={formats} />
        </DiagramView>
      )}
    </div>
  );
}
