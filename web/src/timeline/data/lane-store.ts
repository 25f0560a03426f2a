/** Cache of lane answers. */

import type { LaneContents, LanesAnswer } from "../../session/lanes";
import type { Axis } from "../../session/wire";
import type { Interval } from "../../state/interval";

/** An answer and the axis of its query. */
export interface Answered {
  axis: Axis;
  answer: LanesAnswer;
  /** End of the trace at the time of the query. */
  end: number;
}

/** Cached contents of a lane, and their answer. */
export interface Kept extends Answered {
  shown: LaneContents;
}

/** Number of cached lanes; the least recently updated are evicted first. */
const KEPT = 512;

/** Newest answer of each lane. */
export class LaneStore {
  private readonly kept = new Map<number, Kept>();
  /** Newest answer, for items across lanes. */
  latest: Answered | null = null;

  take(answered: Answered): void {
    this.latest = answered;
    for (const shown of answered.answer.lanes) {
      this.kept.delete(shown.lane);
      this.kept.set(shown.lane, { ...answered, shown });
    }
    for (const lane of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(lane);
    }
  }

  /** Cached contents of a lane on an axis, at any zoom and window. */
  of(lane: number, axis: Axis): Kept | null {
    const kept = this.kept.get(lane);
    return kept?.axis === axis ? kept : null;
  }

  /** Newest answer with items across lanes. */
  across(axis: Axis): LanesAnswer | null {
    return this.latest?.axis === axis ? this.latest.answer : null;
  }

  /**
   * Whether an interval can be drawn at a zoom without another query, given the trace's current
   * end.
   */
  suffices(
    lanes: readonly number[],
    axis: Axis,
    part: Interval,
    unitsPerPixel: number,
    end: number,
  ): boolean {
    const fits = ({ answer: { from, to, width }, end: known }: Answered) =>
      from <= part.from &&
      to >= part.to &&
      known >= Math.min(part.to, end) &&
      Math.abs((to - from) / width / unitsPerPixel - 1) < 1e-6;
    if (this.latest?.axis !== axis || !fits(this.latest)) return false;
    return lanes.every((lane) => {
      const kept = this.of(lane, axis);
      return kept !== null && fits(kept);
    });
  }

  /** Clears the cache, because lane numbers were reassigned. */
  clear(): void {
    this.kept.clear();
    this.latest = null;
  }
}
