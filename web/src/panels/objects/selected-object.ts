/** Selection of the object whose history is shown. */

import { perTrace } from "../../state/per-trace";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";

/** Object by number in the overview. */
export const selectedObject = perTrace<number | null>(() => null);

/** Opens the panel with an object's history. */
export function showObject(trace: TraceState, object: number): void {
  selectedObject(trace).value = object;
  settings.sidePanel.value = "objects";
}
