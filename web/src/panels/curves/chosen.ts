/** Selection of graphs. */

import type { GraphSource } from "../../session/wire";
import { perTrace } from "../../state/per-trace";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";

/** Graphs from top to bottom. */
export const chosenCurves = perTrace<GraphSource[]>(() => [{ kind: "load", core: null }]);

/** Unique key of a graph. */
export function keyOf(curve: GraphSource): string {
  return curve.kind === "load" ? `load ${curve.core ?? "all"}` : `level ${curve.resource}`;
}

/** Whether a graph is shown. */
export function isShown(trace: TraceState, curve: GraphSource): boolean {
  return chosenCurves(trace).value.some((one) => keyOf(one) === keyOf(curve));
}

/** Adds a graph below the others. */
export function addCurve(trace: TraceState, curve: GraphSource): void {
  const chosen = chosenCurves(trace);
  if (!isShown(trace, curve)) chosen.value = [...chosen.peek(), curve];
  settings.bottomPanel.value = "curves";
}

/** Removes a graph. */
export function removeCurve(trace: TraceState, curve: GraphSource): void {
  const chosen = chosenCurves(trace);
  chosen.value = chosen.peek().filter((one) => keyOf(one) !== keyOf(curve));
}
