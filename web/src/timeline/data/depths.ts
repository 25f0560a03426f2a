/** Levels of the active objects' event queues in the visible interval. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { SessionClient } from "../../session/client";
import type { Axis, Curve, Overview } from "../../session/wire";
import type { Interval } from "../../state/interval";
import { padded } from "./lane-requests";
import { Latest } from "./latest";

/** Level of one queue. */
export interface Depth {
  curve: Curve;
  /** Maximum over the whole trace, as far as known. */
  highest: number;
}

interface Wanted {
  axis: Axis;
  part: Interval;
  /** In pixels. */
  width: number;
  /** Active objects with visible lanes. */
  contexts: readonly number[];
  /** Full extent of the trace. */
  whole: Interval;
}

interface Known extends Interval {
  axis: Axis;
  width: number;
  curve: Curve;
  /** End of the trace at the time of the query. */
  end: number;
}

/** Number of concurrent queries. */
const TOGETHER = 4;
const MOST_POINTS = 8192;

export class DepthStore {
  private readonly known = new Map<number, Known>();
  private readonly highest = new Map<number, number>();
  private readonly counted = signal(0);
  private readonly latest: Latest<Wanted>;

  constructor(
    private readonly client: SessionClient,
    private readonly levels: () => Overview["levels"],
    failed: (error: unknown) => void,
  ) {
    this.latest = new Latest((wanted, isStopped) => this.ask(wanted, isStopped), failed);
  }

  /** Incremented when an answer arrives. */
  get changes(): ReadonlySignal<number> {
    return this.counted;
  }

  /** Level of an active object's queue on an axis. */
  of(context: number, axis: Axis): Depth | null {
    const known = this.known.get(context);
    if (known?.axis !== axis) return null;
    return { curve: known.curve, highest: this.highest.get(context) ?? 0 };
  }

  /** Requests the data for a view. */
  want(wanted: Wanted): void {
    if (wanted.width < 1 || this.missing(wanted).length === 0) return;
    this.latest.want(wanted);
  }

  /** Clears the store, because identifiers were reassigned. */
  clear(): void {
    this.known.clear();
    this.highest.clear();
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

  private missing({ axis, part, width, contexts, whole }: Wanted): number[] {
    const perPixel = (part.to - part.from) / width;
    const resources = this.resources();
    return contexts.filter((context) => {
      if (!resources.has(context)) return false;
      const known = this.known.get(context);
      return (
        known === undefined ||
        known.axis !== axis ||
        known.from > part.from ||
        known.to < part.to ||
        known.end < Math.min(part.to, whole.to) ||
        Math.abs((known.to - known.from) / known.width / perPixel - 1) > 0.01
      );
    });
  }

  private async ask(wanted: Wanted, isStopped: () => boolean): Promise<void> {
    const { axis, whole } = wanted;
    const resources = this.resources();
    const { from, to, width } = padded(wanted.part, wanted.width);
    const missing = this.missing(wanted);
    for (let at = 0; at < missing.length; at += TOGETHER) {
      await Promise.all(
        missing.slice(at, at + TOGETHER).map(async (context) => {
          const resource = resources.get(context);
          if (resource === undefined) return;
          const of = { of: "level", resource } as const;
          const points = Math.min(width, MOST_POINTS);
          const curve = await this.client.query<"curve">({
            ask: "curve",
            of,
            window: { axis, from, to },
            width: points,
          });
          if (!this.highest.has(context)) {
            const all = await this.client.query<"curve">({
              ask: "curve",
              of,
              window: { axis, ...whole },
              width: 1,
            });
            this.highest.set(context, highestOf(all));
          }
          // Events recorded meanwhile may raise the maximum.
          this.highest.set(context, Math.max(this.highest.get(context) ?? 0, highestOf(curve)));
          this.known.set(context, { axis, from, to, width, curve, end: whole.to });
        }),
      );
      if (isStopped()) return;
      this.counted.value += 1;
    }
  }
}

function highestOf({ high }: Curve): number {
  return high.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}
