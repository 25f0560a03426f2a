/** Legend of the timeline's lines and shades. */

import { hasActiveObjects } from "../../state/contexts";
import type { TraceState } from "../../state/trace";

interface LegendLine {
  property: string;
  shape: "line" | "arrow" | "shade" | "hatch" | "post" | "front" | "recall" | "steps";
  text: string;
}

/** Only for traces with active objects. */
const ACTIVE_OBJECT_LINES: readonly LegendLine[] = [
  {
    property: "--lane-post",
    shape: "post",
    text: "Event, from its post to the step that handles it; dotted if the step is unknown",
  },
  {
    property: "--lane-post-front",
    shape: "front",
    text: "Event posted to the front of the queue",
  },
  { property: "--lane-post-front", shape: "recall", text: "Deferred event that was recalled" },
  {
    property: "--lane-depth-edge",
    shape: "steps",
    text: "Queue level; the number at the right is the high-water mark",
  },
];

const LINES: readonly LegendLine[] = [
  { property: "--lane-switch", shape: "line", text: "Context switch, from lane to lane" },
  {
    property: "--lane-wake",
    shape: "arrow",
    text: "Wake-up: from the event that made a thread ready to its dispatch",
  },
  {
    property: "--lane-bounded",
    shape: "shade",
    text: "Priority inversion, while the owner holds the mutex",
  },
  {
    property: "--lane-unbounded",
    shape: "shade",
    text: "Unbounded priority inversion, prolonged by threads that do not use the mutex",
  },
  { property: "--lane-unknown", shape: "hatch", text: "Unknown: not recorded" },
  { property: "--lane-gap", shape: "line", text: "Missing events" },
  { property: "--lane-selected", shape: "line", text: "Selected event" },
  { property: "--hit", shape: "line", text: "Search hits in the overview" },
];

function Sample({ property, shape }: LegendLine) {
  const colour = `var(${property})`;
  return (
    <svg class="sample" viewBox="0 0 26 14" width="26" height="14" aria-hidden="true">
      {shape === "shade" && <rect width="26" height="14" style={{ fill: colour }} />}
      {shape === "line" && <path d="M13 0v14" style={{ stroke: colour, strokeWidth: "2" }} />}
      {shape === "arrow" && (
        <path
          d="M4 1v8l16 0m-4-3 4 3-4 3"
          fill="none"
          style={{ stroke: colour, strokeWidth: "1.5" }}
        />
      )}
      {(shape === "post" || shape === "front" || shape === "recall") && (
        <path
          d="M5 0C5 7 19 4 19 12m-3.5-4.5L19 13l3-5.5"
          fill="none"
          style={{
            stroke: colour,
            strokeWidth: shape === "front" ? "2.2" : "1.5",
            ...(shape === "recall" ? { strokeDasharray: "4 2.5" } : {}),
          }}
        />
      )}
      {shape === "steps" && (
        <path
          d="M1 13h5V9h6V4h6v5h4v4h4"
          fill="none"
          style={{ stroke: colour, strokeWidth: "1.5" }}
        />
      )}
      {shape === "hatch" && (
        <path d="M2 14 14 0M8 14 20 0M14 14 26 0" style={{ stroke: colour, strokeWidth: "1.5" }} />
      )}
    </svg>
  );
}

export function Lines({ trace }: { trace: TraceState }) {
  const lines = hasActiveObjects(trace.overview) ? [...ACTIVE_OBJECT_LINES, ...LINES] : LINES;
  return (
    <section>
      <h3>Lines and shades</h3>
      <ul class="plain-list lines">
        {lines.map((line) => (
          <li key={line.text}>
            <Sample {...line} />
            {line.text}
          </li>
        ))}
      </ul>
    </section>
  );
}
