/** Posts to active objects in the visible interval. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { SessionClient } from "../../session/client";
import type { Axis, Post } from "../../session/wire";
import type { Interval } from "../../state/interval";
import { padded } from "./lane-requests";
import { Latest } from "./latest";

/** Cached posts of an interval. */
interface Known extends Interval {
  axis: Axis;
  /** End of the trace at the time of the query. */
  end: number;
  /** Number of posts. */
  total: number;
  /** All posts, or none if there are too many. */
  posts: readonly Post[];
}

/** A view to fetch posts for. */
interface Wanted {
  axis: Axis;
  part: Interval;
  /** In pixels. */
  width: number;
  /** End of the trace. */
  end: number;
}

/** Arrows closer than this on average cannot be distinguished, in pixels. */
const SPARSE = 6;

/** Whether there are too many arrows for a width in pixels. */
export function areTooMany(count: number, width: number): boolean {
  return count > Math.ceil(width / SPARSE);
}

const NONE: readonly Post[] = [];

export class PostStore {
  private readonly kept = signal<Known | null>(null);
  private readonly latest: Latest<Wanted>;

  constructor(
    private readonly client: SessionClient,
    failed: (error: unknown) => void,
  ) {
    this.latest = new Latest((wanted, isStopped) => this.ask(wanted, isStopped), failed);
  }

  /** Changes when an answer arrives. */
  get changes(): ReadonlySignal<unknown> {
    return this.kept;
  }

  /** Requests the data for a view. */
  want(wanted: Wanted): void {
    if (!this.suffices(wanted)) this.latest.want(wanted);
  }

  /** Posts that may be visible. */
  on(axis: Axis): readonly Post[] {
    const known = this.kept.value;
    return known?.axis === axis ? known.posts : NONE;
  }

  /** Number of posts if there are too many to draw. */
  tooMany(axis: Axis): number | null {
    const known = this.kept.value;
    return known?.axis === axis && known.posts.length < known.total ? known.total : null;
  }

  /** Clears the cache, because identifiers were reassigned. */
  clear(): void {
    this.kept.value = null;
  }

  stop(): void {
    this.latest.stop();
  }

  private suffices({ axis, part, end }: Wanted): boolean {
    const known = this.kept.peek();
    if (known === null || known.axis !== axis || known.end < Math.min(part.to, end)) return false;
    // A complete list covers any part of its window; a count does not.
    return known.posts.length === known.total
      ? known.from <= part.from && part.to <= known.to
      : known.from === part.from && known.to === part.to;
  }

  private async ask({ axis, part, width, end }: Wanted, isStopped: () => boolean): Promise<void> {
    if (width < 1) return;
    const { from, to, width: wide } = padded(part, width);
    // With padding first; if there are too many, only the visible interval.
    for (const [window, pixels] of [
      [{ from, to }, wide],
      [part, width],
    ] as const) {
      const most = Math.ceil(pixels / SPARSE);
      const answer = await this.client.query<"posts">({
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
