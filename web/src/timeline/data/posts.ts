/** Posts to active objects in the visible interval. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { SessionClient } from "../../session/client";
import type { Axis, Post } from "../../session/wire";
import type { Interval } from "../../state/interval";
import { padded } from "./lane-requests";
import { LatestQuery } from "./latest-query";

/** Cached posts of an interval. */
interface CachedPosts extends Interval {
  axis: Axis;
  /** End of the trace at the time of the query. */
  traceEnd: number;
  /** Number of posts. */
  total: number;
  /** All posts, or none if there are too many. */
  posts: readonly Post[];
}

/** A view to fetch posts for. */
interface PostRequest {
  axis: Axis;
  part: Interval;
  /** In pixels. */
  width: number;
  /** End of the trace. */
  traceEnd: number;
}

/** Arrows closer than this on average cannot be distinguished, in pixels. */
const MIN_DISTANCE = 6;

/** Whether there are too many arrows for a width in pixels. */
export function areTooMany(count: number, width: number): boolean {
  return count > Math.ceil(width / MIN_DISTANCE);
}

const NONE: readonly Post[] = [];

export class PostStore {
  private readonly cached = signal<CachedPosts | null>(null);
  private readonly latest: LatestQuery<PostRequest>;

  constructor(
    private readonly client: SessionClient,
    failed: (error: unknown) => void,
  ) {
    this.latest = new LatestQuery((wanted, isStopped) => this.fetch(wanted, isStopped), failed);
  }

  /** Changes when an answer arrives. */
  get changes(): ReadonlySignal<unknown> {
    return this.cached;
  }

  /** Requests the data for a view. */
  request(wanted: PostRequest): void {
    if (!this.suffices(wanted)) this.latest.request(wanted);
  }

  /** Posts that may be visible. */
  get(axis: Axis): readonly Post[] {
    const known = this.cached.value;
    return known?.axis === axis ? known.posts : NONE;
  }

  /** Number of posts if there are too many to draw. */
  tooMany(axis: Axis): number | null {
    const known = this.cached.value;
    return known?.axis === axis && known.posts.length < known.total ? known.total : null;
  }

  /** Clears the cache, because identifiers were reassigned. */
  clear(): void {
    this.cached.value = null;
  }

  stop(): void {
    this.latest.stop();
  }

  private suffices({ axis, part, traceEnd }: PostRequest): boolean {
    const known = this.cached.peek();
    if (known === null || known.axis !== axis || known.traceEnd < Math.min(part.end, traceEnd))
      return false;
    // A complete list covers any part of its window; a count does not.
    return known.posts.length === known.total
      ? known.start <= part.start && part.end <= known.end
      : known.start === part.start && known.end === part.end;
  }

  private async fetch(
    { axis, part, width, traceEnd }: PostRequest,
    isStopped: () => boolean,
  ): Promise<void> {
    if (width < 1) return;
    const { start, end, width: wide } = padded(part, width);
    // With padding first; if there are too many, only the visible interval.
    for (const [window, pixels] of [
      [{ start, end }, wide],
      [part, width],
    ] as const) {
      const limit = Math.ceil(pixels / MIN_DISTANCE);
      const answer = await this.client.query<"posts">({
        query: "posts",
        window: { axis, start: window.start, end: window.end },
        limit,
      });
      if (isStopped()) return;
      this.cached.value = { axis, traceEnd, start: window.start, end: window.end, ...answer };
      if (answer.posts.length === answer.total) return;
    }
  }
}
