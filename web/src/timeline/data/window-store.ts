/** Answers for windows that cover the visible interval, by key. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Axis, Window } from "../../session/wire";
import type { Interval } from "../../state/interval";
import { padded } from "./lane-requests";
import { LatestQuery } from "./latest-query";

/** Number of concurrent queries. */
const MAX_CONCURRENT = 4;

interface WindowRequest<K> {
  axis: Axis;
  part: Interval;
  /** In pixels. */
  width: number;
  /** Those with a visible row. */
  keys: readonly K[];
  /** End of the trace. */
  traceEnd: number;
}

interface CachedAnswer<A> extends Interval {
  axis: Axis;
  width: number;
  answer: A;
  /** End of the trace at the time of the query. */
  traceEnd: number;
}

export class WindowStore<K, A> {
  private readonly cached = new Map<K, CachedAnswer<A>>();
  private readonly version = signal(0);
  private readonly latest: LatestQuery<WindowRequest<K>>;

  /** `query` asks for a number of parts of `partWidth` pixels; `known` is the answer before. */
  constructor(
    private readonly query: (
      key: K,
      window: Window,
      parts: number,
      known: A | undefined,
    ) => Promise<A>,
    private readonly partWidth: number,
    failed: (error: unknown) => void,
  ) {
    this.latest = new LatestQuery((wanted, isStopped) => this.fetch(wanted, isStopped), failed);
  }

  /** Incremented when an answer arrives. */
  get changes(): ReadonlySignal<number> {
    return this.version;
  }

  /** Answer for a key on an axis. */
  get(key: K, axis: Axis): A | null {
    const known = this.cached.get(key);
    return known?.axis === axis ? known.answer : null;
  }

  /** Requests the data for a view. */
  request(wanted: WindowRequest<K>): void {
    if (wanted.width < 1 || this.missing(wanted).length === 0) return;
    this.latest.request(wanted);
  }

  /** Clears the store, because identifiers were reassigned. */
  clear(): void {
    this.cached.clear();
  }

  stop(): void {
    this.latest.stop();
  }

  private missing({ axis, part, width, keys, traceEnd }: WindowRequest<K>): K[] {
    const perPixel = (part.end - part.start) / width;
    return keys.filter((key) => {
      const known = this.cached.get(key);
      return (
        known === undefined ||
        known.axis !== axis ||
        known.start > part.start ||
        known.end < part.end ||
        known.traceEnd < Math.min(part.end, traceEnd) ||
        Math.abs((known.end - known.start) / known.width / perPixel - 1) > 0.01
      );
    });
  }

  private async fetch(wanted: WindowRequest<K>, isStopped: () => boolean): Promise<void> {
    const { axis, traceEnd } = wanted;
    // On a grid of whole parts, so that parts do not change while the view moves.
    const parts = Math.max(Math.round(wanted.width / this.partWidth), 1);
    const { start, end, width: count } = padded(wanted.part, parts);
    const width = (count * wanted.width) / parts;
    const missing = this.missing(wanted);
    for (let first = 0; first < missing.length; first += MAX_CONCURRENT) {
      await Promise.all(
        missing.slice(first, first + MAX_CONCURRENT).map(async (key) => {
          const known = this.cached.get(key)?.answer;
          const answer = await this.query(key, { axis, start, end }, count, known);
          this.cached.set(key, { axis, start, end, width, answer, traceEnd });
        }),
      );
      if (isStopped()) return;
      this.version.value += 1;
    }
  }
}
