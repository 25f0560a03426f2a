/** What was answered about lanes, for as long as it is useful. */

import type { LaneShown, LanesAnswer } from "../../session/lanes";
import type { Axis } from "../../session/wire";
import type { Part } from "../../state/window";

/** An answer and the axis that it was asked for. */
export interface Answered {
  axis: Axis;
  answer: LanesAnswer;
  /** How far the trace went when it was asked for. */
  end: number;
}

/** What is known of a lane, and from which answer. */
export interface Kept extends Answered {
  shown: LaneShown;
}

/** Lanes that are kept; those that were not shown for longest go first. */
const KEPT = 512;

/** The newest answer about each lane. */
export class LaneStore {
  private readonly kept = new Map<number, Kept>();
  /** The newest answer, for what does not belong to one lane. */
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

  /** What is known of a lane on an axis, be it too coarse or of another window. */
  of(lane: number, axis: Axis): Kept | null {
    const kept = this.kept.get(lane);
    return kept?.axis === axis ? kept : null;
  }

  /** What goes across lanes. */
  across(axis: Axis): LanesAnswer | null {
    return this.latest?.axis === axis ? this.latest.answer : null;
  }

  /**
   * Whether a part of a trace that goes so far now can be shown at a number of units a pixel without
   * asking.
   */
  suffices(
    lanes: readonly number[],
    axis: Axis,
    part: Part,
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

  /** Forgets everything: the numbers of lanes stand for others now. */
  clear(): void {
    this.kept.clear();
    this.latest = null;
  }
}
