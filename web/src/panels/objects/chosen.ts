/** Selection of the object whose history is shown. */

import { perTrace } from "../../state/per-trace";
import type { TraceState } from "../../state/trace";

/** Object by number in the overview. */
export const chosenObject = perTrace<number | null>(() => null);

/** Shows an object's history. */
export function choose(trace: TraceState, object: number): void {
  chosenObject(trace).value = object;
}
