/** Selection of graphs. */

import type { CurveOf } from "../../session/wire";
import { perTrace } from "../../state/per-trace";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";

/** Graphs from top to bottom. */
export const chosenCurves = perTrace<CurveOf[]>(() => [{ of: "load", core: null }]);

/** Unique key of a graph. */
export function keyOf(curve: CurveOf): string {
  return curve.of === "load" ? `load ${curve.core ?? "all"}` : `level ${curve.resource}`;
}

/** Whether a graph is shown. */
export function isShown(trace: TraceState, curve: CurveOf): boolean {
  return chosenCurves(trace).value.some((one) => keyOf(one) === keyOf(curve));
}

/** Adds a graph below the others. */
export function addCurve(trace: TraceState, curve: CurveOf): void {
  const chosen = chosenCurves(trace);
  if (!isShown(trace, curve)) chosen.value = [...chosen.peek(), curve];
  settings.bottomPanel.value = "curves";
}

/** Removes a graph. */
export function removeCurve(trace: TraceState, curve: CurveOf): void {
  const chosen = chosenCurves(trace);
  chosen.value = chosen.peek().filter((one) => keyOf(one) !== keyOf(curve));
}
