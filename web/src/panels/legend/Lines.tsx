/** Legend of the timeline's lines and shades. */

import { hasActiveObjects } from "../../state/contexts";
import type { TraceState } from "../../state/trace";
import type { Palette } from "../../timeline/palette";
import type { Surface } from "../../timeline/surface/surface";
import { Sample } from "./Sample";
import {
  drawBoundedSample,
  drawGapSample,
  drawSwitchSample,
  drawUnboundedSample,
  drawWakeSample,
} from "./samples";

/** A line drawn as the timeline does, or by its shape. */
type LegendLine = { text: string } & (
  | { draw: (surface: Surface, colours: Palette) => void }
  | { property: string; shape: "line" | "mark" | "post" | "front" | "recall" | "steps" }
);

/** Only for traces with active objects. */
const ACTIVE_OBJECT_LINES: readonly LegendLine[] = [
  {
    property: "--lane-post",
    shape: "post",
    text: "Event, from its post to the step that handles it; dotted if the step is unknown",
  },
  {
    property: "--lane-post",
    shape: "front",
    text: "Event posted to the front of the queue",
  },
  { property: "--lane-post", shape: "recall", text: "Deferred event that was recalled" },
  {
    property: "--lane-depth-edge",
    shape: "steps",
    text: "Queue level; the number at the right is the high-water mark",
  },
];

const LINES: readonly LegendLine[] = [
  { draw: drawSwitchSample, text: "Context switch, from lane to lane" },
  {
    draw: drawWakeSample,
    text: "Wake-up: from the event that made a thread ready to its dispatch. In other lanes than the one under the pointer, without the line from its cause",
  },
  { draw: drawBoundedSample, text: "Priority inversion, while the owner holds the mutex" },
  {
    draw: drawUnboundedSample,
    text: "Unbounded priority inversion, prolonged by threads that do not use the mutex",
  },
  { draw: drawGapSample, text: "Missing events" },
  { property: "--lane-selected", shape: "line", text: "Selected event" },
  { property: "--hit", shape: "mark", text: "Search hits, in lanes, ruler and overview" },
];

function ShapeSample({ property, shape }: { property: string; shape: string }) {
  const colour = `var(${property})`;
  return (
    <svg class="sample" viewBox="0 0 34 26" width="34" height="26" aria-hidden="true">
      {shape === "line" && <path d="M17 0v26" style={{ stroke: colour, strokeWidth: "1" }} />}
      {shape === "mark" && <path d="M17 0v3" style={{ stroke: colour, strokeWidth: "2" }} />}
      {(shape === "post" || shape === "front" || shape === "recall") && (
        <path
          d="M9 4C9 13 23 9 23 19m-3.5-4.5L23 20l3-5.5"
          fill="none"
          style={{
            stroke: colour,
            strokeWidth: shape === "front" ? "2.5" : "1.5",
            ...(shape === "recall" ? { strokeDasharray: "4 2.5" } : {}),
          }}
        />
      )}
      {shape === "steps" && (
        <path
          d="M3 20h6v-5h7V9h7v6h4v5h4"
          fill="none"
          style={{ stroke: colour, strokeWidth: "1.5" }}
        />
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
            {"draw" in line ? <Sample draw={line.draw} /> : <ShapeSample {...line} />}
            {line.text}
          </li>
        ))}
      </ul>
    </section>
  );
}
