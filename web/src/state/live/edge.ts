/** Where the newest of a recording is now: between what came and what comes next, it moves on evenly. */

/** What was known at a moment. */
interface Sample {
  /** By the clock of the page, in milliseconds. */
  now: number;
  /** How far the recording went, in the units of the axis. */
  at: number;
}

/** So long is looked back for how fast the recording goes on, in milliseconds. */
const LOOK_BACK = 3000;
const MOST_SAMPLES = 128;
/** The edge stays behind by the longest pause between samples, but no more than this. */
const MOST_BEHIND = 1000;
/** Differences are made up for with this time constant. */
const EASE = 150;
/** Differences as long as this are not made up for, but jumped over. */
const JUMP = 2000;
/** Parts shorter than so many pauses between samples stand still between them: they would only flit by. */
const LEAST_PAUSES = 4;

/** The right edge of a view that follows a recording. It never goes back, nor beyond what is known. */
export class Edge {
  private samples: Sample[] = [];
  private shown: Sample | null = null;

  /** `perMillisecond` is how fast the recording goes on, as long as nothing else tells; 0 if unknown. */
  constructor(private readonly perMillisecond = 0) {}

  /** Whether nothing is known. */
  get isEmpty(): boolean {
    return this.samples.length === 0;
  }

  /** Says how far what can be shown goes. */
  sample(now: number, at: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && at <= last.at) return;
    const kept = this.samples.filter((one) => one.now >= now - LOOK_BACK).slice(1 - MOST_SAMPLES);
    // One from before says how fast a slow recording goes on.
    this.samples = [...(kept.length === 0 && last !== undefined ? [last] : kept), { now, at }];
  }

  /** Where the edge is, for a view of that length; `null` if nothing is known. */
  at(now: number, length: number): number | null {
    const last = this.samples.at(-1);
    if (last === undefined) return null;
    const at = this.next(now, length, last);
    this.shown = { now, at };
    return at;
  }

  private next(now: number, length: number, last: Sample): number {
    const { shown } = this;
    const [rate, behind] = [this.rate(), Math.min(this.pause(), MOST_BEHIND)];
    if (shown === null || rate === 0 || length < LEAST_PAUSES * rate * behind) return last.at;
    const wanted = Math.min(last.at + rate * (now - last.now - behind), last.at);
    const passed = Math.max(now - shown.now, 0);
    const missing = wanted - (shown.at + rate * passed);
    if (missing > rate * JUMP) return wanted;
    const moved = shown.at + rate * passed + missing * (1 - Math.exp(-passed / EASE));
    return Math.min(Math.max(moved, shown.at), last.at);
  }

  /** Units a millisecond. */
  private rate(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.now <= first.now)
      return this.perMillisecond;
    return (last.at - first.at) / (last.now - first.now);
  }

  /** The longest pause between samples, in milliseconds. */
  private pause(): number {
    let longest = 0;
    this.samples.forEach(({ now }, index) => {
      const before = this.samples[index - 1];
      if (before !== undefined) longest = Math.max(longest, now - before.now);
    });
    return longest;
  }
}
