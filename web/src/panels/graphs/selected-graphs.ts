/** Selection of graphs. */

import type { GraphSource } from "../../session/wire";
import { perTrace } from "../../state/per-trace";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";

/** Graphs from top to bottom. */
export const selectedGraphs = perTrace<GraphSource[]>(() => [{ kind: "load", core: null }]);

/** Unique key of a graph. */
export function keyOf(graph: GraphSource): string {
  return graph.kind === "load" ? `load ${graph.core ?? "all"}` : `level ${graph.resource}`;
}

/** Whether a graph is shown. */
export function isShown(trace: TraceState, graph: GraphSource): boolean {
  return selectedGraphs(trace).value.some((one) => keyOf(one) === keyOf(graph));
}

/** Adds a graph below the others. */
export function addGraph(trace: TraceState, graph: GraphSource): void {
  const chosen = selectedGraphs(trace);
  if (!isShown(trace, graph)) chosen.value = [...chosen.peek(), graph];
  settings.bottomPanel.value = "graphs";
}

/** Removes a graph. */
export function removeGraph(trace: TraceState, graph: GraphSource): void {
  const chosen = selectedGraphs(trace);
  chosen.value = chosen.peek().filter((one) => keyOf(one) !== keyOf(graph));
}
