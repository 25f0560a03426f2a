/** Measures the latency from the newest byte of a snapshot to its display. */

import type { Axis, LiveStatus } from "../../session/wire";
import { measure } from "../measure";

/** Maximum number of snapshots awaiting display. */
const MAX_EXPECTED = 32;

interface ExpectedDisplay {
  time: number;
  index: number;
  receivedAt: number;
}

export class LatencyMeter {
  private expected: ExpectedDisplay[] = [];
  private drawing: number | null = null;

  /** A snapshot is about to be shown. */
  expect({ base, events, span, received_at: receivedAt }: LiveStatus): void {
    if (receivedAt === null) return;
    const one = { time: base.time + span, index: base.event + events, receivedAt };
    this.expected = [...this.expected.slice(1 - MAX_EXPECTED), one];
  }

  /** Lanes are known up to a position. */
  answered(axis: Axis, end: number): void {
    const known = this.expected.filter((one) => one[axis] <= end);
    this.drawing = known.at(-1)?.receivedAt ?? this.drawing;
    this.expected = this.expected.filter((one) => one[axis] > end);
  }

  /** They are drawn, and visible with the next frame. */
  painted(): void {
    const { drawing } = this;
    if (drawing === null) return;
    this.drawing = null;
    requestAnimationFrame(() => {
      const delay = Math.max(Date.now() - drawing, 0);
      measure("rtoscope:live", { start: performance.now(), duration: delay });
    });
  }
}
