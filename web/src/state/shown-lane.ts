/** The lane that is to be brought into view. */

import { perTrace } from "./per-trace";
import type { TraceState } from "./trace";

/** Number of the lane; `null` once it is in view. */
export const requestedLane = perTrace<number | null>(() => null);

/** Brings the lane of a context into view, if it has one. */
export function showLane(trace: TraceState, context: number): void {
  const lane = trace.overview.lanes.findIndex(
    (lane) => lane.kind === "thread" && lane.context === context,
  );
  if (lane >= 0) requestedLane(trace).value = lane;
}
