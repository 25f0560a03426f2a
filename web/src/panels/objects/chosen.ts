/** Selection of the object whose history is shown. */

import { forEachTrace } from "../../state/each";
import type { TraceState } from "../../state/trace";

/** Object by number in the overview. */
export const chosenObject = forEachTrace<number | null>(() => null);

/** Shows an object's history. */
export function choose(trace: TraceState, object: number): void {
  chosenObject(trace).value = object;
}
