/** Dragging on the lanes selects a range. Its ends snap to nearby events of the lane. */

import { showRange } from "../../panels/reports/report-selection";
import type { SelectedRange } from "../../state/trace";
import { showError } from "../../state/viewer";
import type { TimelineView } from "../view";

const SNAP = 6;

/** End of a range, and the event that it snapped to. */
interface RangeEnd {
  at: number;
  event: number | null;
}

export class RangeMeasurement {
  private start: RangeEnd = { at: 0, event: null };
  private stop: RangeEnd = { at: 0, event: null };

  constructor(private readonly view: TimelineView) {}

  begin(x: number, y: number): void {
    this.start = this.endAt(x, y, false);
  }

  /** Moves the end of the range. `free` disables snapping. */
  moveTo(x: number, y: number, free: boolean): void {
    this.stop = this.endAt(x, y, free);
    this.view.trace.range.value = this.range();
  }

  /** Shows the figures of the range, and replaces positions by the exact times of events. */
  async end(): Promise<void> {
    const { trace } = this.view;
    const drawn = trace.range.peek();
    if (drawn !== null) showRange(trace);
    if (drawn?.axis !== "time") return;
    try {
      const [from, to] = await Promise.all([this.exact(this.start), this.exact(this.stop)]);
      if (trace.range.peek() === drawn) trace.range.value = { ...drawn, start: from, end: to };
    } catch (error) {
      showError(error);
    }
  }

  private async exact({ at, event }: RangeEnd): Promise<number> {
    if (event === null) return Math.round(at);
    const place = await this.view.trace.client.query({ query: "locate", axis: "index", at: event });
    return place?.time ?? Math.round(at);
  }

  private range(): SelectedRange {
    return { axis: this.view.trace.axis.peek(), start: this.start.at, end: this.stop.at };
  }

  private endAt(x: number, y: number, free: boolean): RangeEnd {
    const scale = this.view.scale();
    const found = free ? null : (this.view.hit(x, y)?.event ?? null);
    if (found === null || Math.abs(found.left - x) > SNAP) return { at: scale.at(x), event: null };
    return { at: scale.at(found.left), event: found.event };
  }
}
