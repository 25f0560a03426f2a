/** Cache of lane answers. */

import type { LaneContents, LanesAnswer } from "../../session/lanes";
import type { Axis, Search } from "../../session/wire";
import type { Interval } from "../../state/interval";

/** An answer and the axis of its query. */
export interface LaneAnswer {
  axis: Axis;
  answer: LanesAnswer;
  /** End of the trace at the time of the query. */
  traceEnd: number;
  /** Search whose hits are marked, if any. */
  search: Search | null;
}

/** Cached contents of a lane, and their answer. */
export interface CachedLane extends LaneAnswer {
  contents: LaneContents;
}

/** Number of cached lanes; the least recently updated are evicted first. */
const MAX_CACHED = 512;

/** Newest answer of each lane. */
export class LaneStore {
  private readonly cached = new Map<number, CachedLane>();
  /** Newest answer, for items across lanes. */
  latest: LaneAnswer | null = null;

  put(answered: LaneAnswer): void {
    this.latest = answered;
    for (const contents of answered.answer.lanes) {
      this.cached.delete(contents.lane);
      this.cached.set(contents.lane, { ...answered, contents });
    }
    for (const lane of this.cached.keys()) {
      if (this.cached.size <= MAX_CACHED) break;
      this.cached.delete(lane);
    }
  }

  /** Cached contents of a lane on an axis, at any zoom and window. */
  get(lane: number, axis: Axis): CachedLane | null {
    const kept = this.cached.get(lane);
    return kept?.axis === axis ? kept : null;
  }

  /** Newest answer with items across lanes. */
  across(axis: Axis): LanesAnswer | null {
    return this.latest?.axis === axis ? this.latest.answer : null;
  }

  /**
   * Whether an interval can be drawn at a zoom without another query, given the trace's current
   * end, with the hits of a search.
   */
  suffices(
    lanes: readonly number[],
    axis: Axis,
    part: Interval,
    unitsPerPixel: number,
    traceEnd: number,
    search: Search | null,
  ): boolean {
    const fits = ({ answer: { start, end, width }, traceEnd: known, ...answered }: LaneAnswer) =>
      answered.search?.filter === search?.filter &&
      start <= part.start &&
      end >= part.end &&
      known >= Math.min(part.end, traceEnd) &&
      Math.abs((end - start) / width / unitsPerPixel - 1) < 1e-6;
    if (this.latest?.axis !== axis || !fits(this.latest)) return false;
    return lanes.every((lane) => {
      const kept = this.get(lane, axis);
      return kept !== null && fits(kept);
    });
  }

  /** Clears the cache, because lane numbers were reassigned. */
  clear(): void {
    this.cached.clear();
    this.latest = null;
  }
}
