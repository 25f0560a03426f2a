/** Goes to items of the result of a query. */

import { goToEvent, goToTime, showDetails } from "../../state/navigation";
import { resultLane } from "../../state/result-lane";
import type { TraceState } from "../../state/trace";

/** Selects the event of an item, or the last one before its start. */
export function selectResult(trace: TraceState, item: number): void {
  const lane = resultLane(trace).peek();
  const event = lane?.events?.[item];
  const start = lane?.starts[item];
  showDetails();
  if (event !== undefined) void goToEvent(trace, event);
  else if (start !== undefined) void goToTime(trace, start);
}
