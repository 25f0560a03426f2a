/** Levels of the active objects' event queues in the visible interval. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { SessionClient } from "../../session/client";
import type { Axis, Graph, Overview } from "../../session/wire";
import type { Interval } from "../../state/interval";
import { padded } from "./lane-requests";
import { LatestQuery } from "./latest-query";

/** Level of one queue. */
export interface QueueLevel {
  graph: Graph;
  /** Maximum over the whole trace, as far as known. */
  max: number;
}

interface LevelRequest {
  axis: Axis;
  part: Interval;
  /** In pixels. */
  width: number;
  /** Active objects with visible lanes. */
  contexts: readonly number[];
  /** Full extent of the trace. */
  full: Interval;
}

interface CachedLevel extends Interval {
  axis: Axis;
  width: number;
  graph: Graph;
  /** End of the trace at the time of the query. */
  traceEnd: number;
}

/** Number of concurrent queries. */
const MAX_CONCURRENT = 4;
const MAX_POINTS = 8192;

export class QueueLevelStore {
  private readonly cached = new Map<number, CachedLevel>();
  private readonly maxima = new Map<number, number>();
  private readonly version = signal(0);
  private readonly latest: LatestQuery<LevelRequest>;

  constructor(
    private readonly client: SessionClient,
    private readonly levels: () => Overview["levels"],
    failed: (error: unknown) => void,
  ) {
    this.latest = new LatestQuery((wanted, isStopped) => this.fetch(wanted, isStopped), failed);
  }

  /** Incremented when an answer arrives. */
  get changes(): ReadonlySignal<number> {
    return this.version;
  }

  /** Level of an active object's queue on an axis. */
  get(context: number, axis: Axis): QueueLevel | null {
    const known = this.cached.get(context);
    if (known?.axis !== axis) return null;
    return { graph: known.graph, max: this.maxima.get(context) ?? 0 };
  }

  /** Requests the data for a view. */
  request(wanted: LevelRequest): void {
    if (wanted.width < 1 || this.missing(wanted).length === 0) return;
    this.latest.request(wanted);
  }

  /** Clears the store, because identifiers were reassigned. */
  clear(): void {
    this.cached.clear();
    this.maxima.clear();
  }

  stop(): void {
    this.latest.stop();
  }

  private resources(): Map<number, number> {
    return new Map(
      this.levels().flatMap(({ context, resource }) =>
        context === null ? [] : [[context, resource] as const],
      ),
    );
  }

  private missing({ axis, part, width, contexts, full }: LevelRequest): number[] {
    const perPixel = (part.end - part.start) / width;
    const resources = this.resources();
    return contexts.filter((context) => {
      if (!resources.has(context)) return false;
      const known = this.cached.get(context);
      return (
        known === undefined ||
        known.axis !== axis ||
        known.start > part.start ||
        known.end < part.end ||
        known.traceEnd < Math.min(part.end, full.end) ||
        Math.abs((known.end - known.start) / known.width / perPixel - 1) > 0.01
      );
    });
  }

  private async fetch(wanted: LevelRequest, isStopped: () => boolean): Promise<void> {
    const { axis, full } = wanted;
    const resources = this.resources();
    const { start, end, width } = padded(wanted.part, wanted.width);
    const missing = this.missing(wanted);
    for (let at = 0; at < missing.length; at += MAX_CONCURRENT) {
      await Promise.all(
        missing.slice(at, at + MAX_CONCURRENT).map(async (context) => {
          const resource = resources.get(context);
          if (resource === undefined) return;
          const source = { kind: "level", resource } as const;
          const points = Math.min(width, MAX_POINTS);
          const graph = await this.client.query<"graph">({
            query: "graph",
            source,
            window: { axis, start, end },
            width: points,
          });
          if (!this.maxima.has(context)) {
            const all = await this.client.query<"graph">({
              query: "graph",
              source,
              window: { axis, ...full },
              width: 1,
            });
            this.maxima.set(context, maxOf(all));
          }
          // Events recorded meanwhile may raise the maximum.
          this.maxima.set(context, Math.max(this.maxima.get(context) ?? 0, maxOf(graph)));
          this.cached.set(context, { axis, start, end, width, graph, traceEnd: full.end });
        }),
      );
      if (isStopped()) return;
      this.version.value += 1;
    }
  }
}

function maxOf({ max }: Graph): number {
  return max.reduce<number>((highest, value) => Math.max(highest, value ?? 0), 0);
}
