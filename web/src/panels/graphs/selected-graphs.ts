/** Selection of graphs. */

import { perTrace } from "../../state/per-trace";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import type { ShownGraph } from "./graph-sources";

/** Graphs from top to bottom. */
export const selectedGraphs = perTrace<ShownGraph[]>(() => [{ kind: "load", core: null }]);

/** Unique key of a graph. */
export function keyOf(graph: ShownGraph): string {
  return JSON.stringify(graph);
}

/** Whether a graph is shown. */
export function isShown(trace: TraceState, graph: ShownGraph): boolean {
  return selectedGraphs(trace).value.some((one) => keyOf(one) === keyOf(graph));
}

/** Adds a graph below the others. */
export function addGraph(trace: TraceState, graph: ShownGraph): void {
  const chosen = selectedGraphs(trace);
  if (!isShown(trace, graph)) chosen.value = [...chosen.peek(), graph];
  settings.bottomPanel.value = "graphs";
}

/** Removes a graph. */
export function removeGraph(trace: TraceState, graph: ShownGraph): void {
  const chosen = selectedGraphs(trace);
  chosen.value = chosen.peek().filter((one) => keyOf(one) !== keyOf(graph));
}
