/** Events on their way to active objects, in what is visible. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Door } from "../../session/door";
import type { Axis, Post } from "../../session/wire";
import type { Part } from "../../state/window";
import { padded } from "./lane-requests";
import { Latest } from "./latest";

/** What is known. */
interface Known extends Part {
  axis: Axis;
  /** How far the trace went when they were asked for. */
  end: number;
  /** How many there are. */
  total: number;
  /** All of them, or none if there are too many. */
  posts: readonly Post[];
}

/** What is visible. */
interface Wanted {
  axis: Axis;
  part: Part;
  /** In pixels. */
  width: number;
  /** How far the trace goes. */
  end: number;
}

/** Arrows that would stand closer than this on average cannot be told apart. */
const SPARSE = 6;

/** Whether so many arrows are too many for so many pixels. */
export function areTooMany(count: number, width: number): boolean {
  return count > Math.ceil(width / SPARSE);
}

const NONE: readonly Post[] = [];

export class PostStore {
  private readonly kept = signal<Known | null>(null);
  private readonly latest: Latest<Wanted>;

  constructor(
    private readonly door: Door,
    failed: (error: unknown) => void,
  ) {
    this.latest = new Latest((wanted, isStopped) => this.ask(wanted, isStopped), failed);
  }

  /** Changes whenever something becomes known. */
  get changes(): ReadonlySignal<unknown> {
    return this.kept;
  }

  /** Says what is visible now. */
  want(wanted: Wanted): void {
    if (!this.suffices(wanted)) this.latest.want(wanted);
  }

  /** Those that may be visible. */
  on(axis: Axis): readonly Post[] {
    const known = this.kept.value;
    return known?.axis === axis ? known.posts : NONE;
  }

  /** How many there are, if those are too many to be shown. */
  tooMany(axis: Axis): number | null {
    const known = this.kept.value;
    return known?.axis === axis && known.posts.length < known.total ? known.total : null;
  }

  /** Forgets them: the numbers of contexts stand for others now. */
  clear(): void {
    this.kept.value = null;
  }

  stop(): void {
    this.latest.stop();
  }

  private suffices({ axis, part, end }: Wanted): boolean {
    const known = this.kept.peek();
    if (known === null || known.axis !== axis || known.end < Math.min(part.to, end)) return false;
    // All that are in a window are all in a part of it; their number is not.
    return known.posts.length === known.total
      ? known.from <= part.from && part.to <= known.to
      : known.from === part.from && known.to === part.to;
  }

  private async ask({ axis, part, width, end }: Wanted, isStopped: () => boolean): Promise<void> {
    if (width < 1) return;
    const { from, to, width: wide } = padded(part, width);
    // Beyond what is visible as well; if those are too many, only what is visible.
    for (const [window, pixels] of [
      [{ from, to }, wide],
      [part, width],
    ] as const) {
      const most = Math.ceil(pixels / SPARSE);
      const answer = await this.door.ask<"posts">({
        ask: "posts",
        window: { axis, from: window.from, to: window.to },
        most,
      });
      if (isStopped()) return;
      this.kept.value = { axis, end, from: window.from, to: window.to, ...answer };
      if (answer.posts.length === answer.total) return;
    }
  }
}
