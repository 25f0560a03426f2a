/** Selection of the active object whose state machine is shown. */

import { isActiveObject } from "../../state/contexts";
import { perTrace } from "../../state/per-trace";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";

const chosen = perTrace<number | null>(() => null);

/** Selected active object's context; by default the first one with states. */
export function selectedMachine(trace: TraceState): number {
  const { machines, contexts } = trace.overview;
  return (
    chosen(trace).value ?? machines[0]?.context ?? Math.max(contexts.findIndex(isActiveObject), 0)
  );
}

/** Selects an active object. */
export function selectMachine(trace: TraceState, context: number): void {
  chosen(trace).value = context;
}

/** Shows the state machine of an active object. */
export function showMachine(trace: TraceState, context: number): void {
  selectMachine(trace, context);
  settings.sidePanel.value = "machine";
}
