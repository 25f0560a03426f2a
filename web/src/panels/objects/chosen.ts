/** Which object's history is shown. */

import { forEachTrace } from "../../state/each";
import type { TraceState } from "../../state/trace";

/** The object, by the number of the overview. */
export const chosenObject = forEachTrace<number | null>(() => null);

/** Shows an object's history. */
export function choose(trace: TraceState, object: number): void {
  chosenObject(trace).value = object;
}
