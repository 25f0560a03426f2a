/** Moves the right edge of a following view evenly between samples. */

/** Extent known at some moment. */
interface EdgeSample {
  /** Page time in milliseconds. */
  now: number;
  /** End of the recording, in the units of the axis. */
  at: number;
}

/** Period over which the rate is measured, in milliseconds. */
const RATE_PERIOD = 3000;
const MAX_SAMPLES = 128;
/** The edge lags by the longest pause between samples, up to this limit. */
const MAX_LAG = 1000;
/** Time constant for catching up, in milliseconds. */
const CATCH_UP_TIME = 150;
/** Lags longer than this are jumped over, in milliseconds. */
const MAX_CATCH_UP = 2000;
/** Views shorter than this many pauses move in steps: smooth motion would be too fast to read. */
const MIN_SMOOTH_PAUSES = 4;

/** Right edge of a view that follows a recording. It never moves back, nor past the last sample. */
export class LiveEdge {
  private samples: EdgeSample[] = [];
  private shown: EdgeSample | null = null;

  /** `perMillisecond` is the rate to assume before there are two samples; 0 if unknown. */
  constructor(private readonly perMillisecond = 0) {}

  /** Whether there are no samples. */
  get isEmpty(): boolean {
    return this.samples.length === 0;
  }

  /** Adds a sample: the end of what can be drawn. */
  sample(now: number, at: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && at <= last.at) return;
    const kept = this.samples.filter((one) => one.now >= now - RATE_PERIOD).slice(1 - MAX_SAMPLES);
    // One old sample gives the rate of a slow recording.
    this.samples = [...(kept.length === 0 && last !== undefined ? [last] : kept), { now, at }];
  }

  /** Position of the edge for a view of that length; `null` if there are no samples. */
  at(now: number, length: number): number | null {
    const last = this.samples.at(-1);
    if (last === undefined) return null;
    const at = this.next(now, length, last);
    this.shown = { now, at };
    return at;
  }

  private next(now: number, length: number, last: EdgeSample): number {
    const { shown } = this;
    const [rate, lag] = [this.rate(), Math.min(this.pause(), MAX_LAG)];
    if (shown === null || rate === 0 || length < MIN_SMOOTH_PAUSES * rate * lag) return last.at;
    const wanted = Math.min(last.at + rate * (now - last.now - lag), last.at);
    const passed = Math.max(now - shown.now, 0);
    const missing = wanted - (shown.at + rate * passed);
    if (missing > rate * MAX_CATCH_UP) return wanted;
    const moved = shown.at + rate * passed + missing * (1 - Math.exp(-passed / CATCH_UP_TIME));
    return Math.min(Math.max(moved, shown.at), last.at);
  }

  /** Units per millisecond. */
  private rate(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.now <= first.now)
      return this.perMillisecond;
    return (last.at - first.at) / (last.now - first.now);
  }

  /** Longest pause between samples, in milliseconds. */
  private pause(): number {
    let longest = 0;
    this.samples.forEach(({ now }, index) => {
      const before = this.samples[index - 1];
      if (before !== undefined) longest = Math.max(longest, now - before.now);
    });
    return longest;
  }
}
