/** Levels of the active objects' event queues in the visible interval. */

import type { SessionClient } from "../../session/client";
import type { Axis, Graph, Overview } from "../../session/wire";
import type { Interval } from "../../state/interval";
import { WindowStore } from "./window-store";

/** Level of one queue. */
export interface QueueLevel {
  graph: Graph;
  /** Maximum over the whole trace, as far as known. */
  max: number;
}

/** Levels by the contexts that have a queue. */
export type QueueLevelStore = WindowStore<number, QueueLevel>;

export function queueLevelStore(
  client: SessionClient,
  levels: () => Overview["levels"],
  full: (axis: Axis) => Interval,
  failed: (error: unknown) => void,
): QueueLevelStore {
  return new WindowStore(
    async (context, window, width, known) => {
      const resource = levels().findLast((one) => one.context === context)?.resource ?? -1;
      const query = { query: "graph", source: { kind: "level", resource } } as const;
      const graph = await client.query<"graph">({ ...query, window, width });
      const { axis } = window;
      const before =
        known?.max ??
        maxOf(await client.query<"graph">({ ...query, window: { axis, ...full(axis) }, width: 1 }));
      // Events recorded meanwhile may raise the maximum.
      return { graph, max: Math.max(before, maxOf(graph)) };
    },
    1,
    failed,
  );
}

function maxOf({ max }: Graph): number {
  return max.reduce<number>((highest, value) => Math.max(highest, value ?? 0), 0);
}
