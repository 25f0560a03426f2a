/** Name of the lane with the result of a query. */

import { countText } from "../../state/format";
import { resultLane } from "../../state/result-lane";
import type { TraceState } from "../../state/trace";
import { RESULT_TITLE } from "./items";

interface ResultNameProps {
  trace: TraceState;
  /** Position and height in pixels. */
  y: number;
  height: number;
}

export function ResultName({ trace, y, height }: ResultNameProps) {
  const lane = resultLane(trace);
  const isHidden = trace.axis.value === "index" && lane.value?.events === null;
  return (
    <div
      class="lane-name result"
      title={
        isHidden
          ? "The result has no events, so it is shown over time only."
          : "Rows of the SQL panel"
      }
      style={{ transform: `translateY(${y}px)`, height: `${height}px` }}
    >
      <span class="lane-text">{RESULT_TITLE}</span>
      <span class="lane-note">
        {isHidden ? "over time only" : countText(lane.value?.starts.length ?? 0)}
      </span>
      <button
        type="button"
        class="lane-toggle plain"
        aria-label="Remove the lane of the SQL result"
        onClick={() => {
          lane.value = null;
        }}
      >
        ×
      </button>
    </div>
  );
}
