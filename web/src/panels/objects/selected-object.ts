/** Selection of the object whose history is shown. */

import { perTrace } from "../../state/per-trace";
import type { TraceState } from "../../state/trace";

/** Object by number in the overview. */
export const selectedObject = perTrace<number | null>(() => null);

/** Shows an object's history. */
export function showObject(trace: TraceState, object: number): void {
  selectedObject(trace).value = object;
}
