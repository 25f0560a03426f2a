/** Whose state machine is shown. */

import { forEachTrace } from "../../state/each";
import { isActiveObject } from "../../state/contexts";
import type { TraceState } from "../../state/trace";
import { settings } from "../../state/settings";

/** The active object's context; the first one with states if nobody says otherwise. */
export const chosenMachine = forEachTrace<number>(({ overview: { machines, contexts } }) =>
  machines[0]?.context ?? Math.max(contexts.findIndex(isActiveObject), 0));

/** Shows the state machine of an active object. */
export function showMachine(trace: TraceState, context: number): void {
  chosenMachine(trace).value = context;
  settings.sidePanel.value = "machine";
}
