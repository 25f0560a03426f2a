/** Queries lane contents: one query at a time, always for the current view. */

import type { SessionClient } from "../../session/client";
import type { Axis, Search } from "../../session/wire";
import type { Interval } from "../../state/interval";
import { measure } from "../../state/measure";
import type { LaneAnswer, LaneStore } from "./lane-store";
import { LatestQuery } from "./latest-query";

/** A view to fetch lanes for. */
export interface LaneRequest {
  axis: Axis;
  part: Interval;
  /** Width of the visible interval in pixels. */
  width: number;
  /** Visible lanes, and those with some lanes around them. */
  visible: readonly number[];
  lanes: readonly number[];
  /** End of the trace. */
  traceEnd: number;
  /** Search whose hits are marked, if any. */
  search: Search | null;
}

/** Padding queried on each side, as a fraction of the visible width. */
const PADDING = 0.25;
/** Padding that must remain on each side; with less, the next window is fetched ahead. */
const MIN_PADDING_LEFT = 0.04;
/** Limits of the session. */
const MAX_LANES = 256;
const MAX_WIDTH = 8192;

/** Adds padding to an interval, on a grid of whole pixels, so that pixels do not shift. */
export function padded({ start, end }: Interval, width: number): Interval & { width: number } {
  const unit = (end - start) / width;
  const wide = Math.min(Math.ceil(width * (1 + 2 * PADDING)), MAX_WIDTH);
  const beside = (wide - width) / 2;
  const first = Math.floor(start / unit - beside);
  return { start: first * unit, end: (first + wide) * unit, width: wide };
}

function queryFor({ axis, part, width: visible, lanes, search }: LaneRequest) {
  const { start, end, width } = padded(part, visible);
  return {
    query: "lanes" as const,
    window: { axis, start, end },
    width,
    lanes: [...lanes],
    search,
  };
}

export class LaneRequests {
  private readonly latest: LatestQuery<LaneRequest>;
  /** The last query, which is not repeated if its answer did not cover the view. */
  private lastQuery = "";

  constructor(
    private readonly client: SessionClient,
    private readonly store: LaneStore,
    private readonly onAnswer: (answered: LaneAnswer) => void,
    failed: (error: unknown) => void,
  ) {
    this.latest = new LatestQuery((wanted, isStopped) => this.fetch(wanted, isStopped), failed);
  }

  /** Requests the data for a view. */
  request(wanted: LaneRequest): void {
    this.latest.request(wanted);
  }

  /** Loads the data for all lanes of a view into the store, however many. */
  async load(wanted: LaneRequest): Promise<void> {
    if (this.suffices(wanted)) return;
    for (let first = 0; first < wanted.lanes.length; first += MAX_LANES) {
      const lanes = wanted.lanes.slice(first, first + MAX_LANES);
      const answer = await this.client.query<"lanes">(queryFor({ ...wanted, lanes }));
      const { axis, traceEnd, search } = wanted;
      this.store.put({ axis, traceEnd, search, answer });
    }
  }

  stop(): void {
    this.latest.stop();
  }

  private async fetch(next: LaneRequest, isStopped: () => boolean): Promise<void> {
    if (next.width < 1 || this.suffices(next)) return;
    const { axis, traceEnd, search } = next;
    const query = queryFor({ ...next, lanes: next.lanes.slice(0, MAX_LANES) });
    const key = `${traceEnd} ${JSON.stringify(query)}`;
    if (key === this.lastQuery) return;
    this.lastQuery = key;
    const start = performance.now();
    const answer = await this.client.query<"lanes">(query);
    if (isStopped()) return;
    measure("rtoscope:lanes", { start });
    const answered = { axis, answer, traceEnd, search };
    this.store.put(answered);
    this.onAnswer(answered);
  }

  private suffices({ axis, part, width, visible, traceEnd, search }: LaneRequest): boolean {
    const margin = (part.end - part.start) * MIN_PADDING_LEFT;
    const wider = { start: part.start - margin, end: part.end + margin };
    const unitsPerPixel = (part.end - part.start) / width;
    return this.store.suffices(visible, axis, wider, unitsPerPixel, traceEnd, search);
  }
}
