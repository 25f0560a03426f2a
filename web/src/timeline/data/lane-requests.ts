/** Queries lane contents: one query at a time, always for the current view. */

import type { SessionClient } from "../../session/client";
import type { Axis } from "../../session/wire";
import type { Interval } from "../../state/interval";
import type { Answered, LaneStore } from "./lane-store";

/** A view to fetch lanes for. */
export interface Wanted {
  axis: Axis;
  part: Interval;
  /** Width of the visible interval in pixels. */
  width: number;
  /** Visible lanes, and those with some lanes around them. */
  visible: readonly number[];
  lanes: readonly number[];
  /** End of the trace. */
  end: number;
}

/** Padding queried on each side, as a fraction of the visible width. */
const PADDING = 0.25;
/** Padding that must remain on each side; with less, the next window is fetched ahead. */
const LEFT = 0.04;
/** Limits of the session. */
const MOST_LANES = 256;
const WIDEST = 8192;
/** Number of measurements kept in the browser's performance timeline. */
const MEASURES = 1000;

/** Adds padding to an interval, on a grid of whole pixels, so that pixels do not shift. */
export function padded({ from, to }: Interval, width: number): Interval & { width: number } {
  const unit = (to - from) / width;
  const wide = Math.min(Math.ceil(width * (1 + 2 * PADDING)), WIDEST);
  const beside = (wide - width) / 2;
  const first = Math.floor(from / unit - beside);
  return { from: first * unit, to: (first + wide) * unit, width: wide };
}

export class LaneRequests {
  private busy = false;
  private wanted: Wanted | null = null;
  /** The last query, which is not repeated if its answer did not cover the view. */
  private last = "";
  private measures = 0;
  private stopped = false;

  constructor(
    private readonly client: SessionClient,
    private readonly store: LaneStore,
    private readonly answered: (answered: Answered) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Requests the data for a view. */
  want(wanted: Wanted): void {
    this.wanted = wanted;
    if (!this.busy) void this.ask();
  }

  stop(): void {
    this.stopped = true;
    this.wanted = null;
  }

  private async ask(): Promise<void> {
    const { wanted } = this;
    this.wanted = null;
    if (wanted === null || wanted.width < 1 || this.suffices(wanted)) return;
    const { axis, end } = wanted;
    const { from, to, width } = padded(wanted.part, wanted.width);
    const lanes = wanted.lanes.slice(0, MOST_LANES);
    const query = { ask: "lanes" as const, window: { axis, from, to }, width, lanes };
    const key = `${end} ${JSON.stringify(query)}`;
    if (key === this.last) return;
    this.last = key;
    this.busy = true;
    const start = performance.now();
    try {
      const answer = await this.client.query<"lanes">(query);
      if (this.stopped) return;
      this.measure(start);
      const answered = { axis, answer, end };
      this.store.take(answered);
      this.answered(answered);
    } catch (error) {
      this.failed(error);
    } finally {
      this.busy = false;
    }
    if (this.wanted !== null) void this.ask();
  }

  private suffices({ axis, part, width, visible, end }: Wanted): boolean {
    const margin = (part.to - part.from) * LEFT;
    const wider = { from: part.from - margin, to: part.to + margin };
    return this.store.suffices(visible, axis, wider, (part.to - part.from) / width, end);
  }

  private measure(start: number): void {
    this.measures += 1;
    if (this.measures % MEASURES === 0) performance.clearMeasures("rtoscope:lanes");
    performance.measure("rtoscope:lanes", { start });
  }
}
