/** A fake server of one live trace for tests; it replaces `fetch`. */

import type { Bookmark, LiveStatus, Overview, Query } from "../../session/wire";
import { overviewOf } from "../../timeline/fixture";

/** Initial status. */
export function statusOf(changes: Partial<LiveStatus> = {}): LiveStatus {
  return {
    schema: "rtoscope/live/1",
    version: 1,
    snapshot: 0,
    base: { event: 0, time: 0 },
    events: 0,
    span: 0,
    total_events: 0,
    missing: 0,
    gaps: 0,
    invalid_frames: 0,
    bytes: 0,
    bytes_per_second: 0,
    events_per_second: 0,
    connection: { state: "connected", text: "127.0.0.1:5" },
    received_at: null,
    saved: null,
    queued_bytes: 0,
    decode_error: null,
    has_older: false,
    takes_commands: false,
    ...changes,
  };
}

interface RecordedRequest {
  path: string;
  parameters: URLSearchParams;
  query: Query | null;
}

export class FakeServer {
  status = statusOf();
  /** Requests so far, unless cleared. */
  requests: RecordedRequest[] = [];
  bookmarks: Bookmark[] = [];
  /** Whether it is unreachable. */
  isUnreachable = false;
  threads = ["a", "b"];
  /** All threads so far: their numbers stay. */
  private readonly known: string[] = [];
  /** Query types that get "gone" once. */
  readonly lateFor = new Set<Query["query"]>();
  private readonly snapshots = new Map<number, Overview>();
  private readonly waiting = new Set<() => void>();

  readonly fetch = async (at: string, init?: RequestInit): Promise<Response> => {
    const url = new URL(at, "http://server/");
    const query = typeof init?.body === "string" ? (JSON.parse(init.body) as Query) : null;
    const path = url.pathname.replace("/api/traces/1/", "");
    this.requests.push({ path, parameters: url.searchParams, query });
    if (this.isUnreachable) throw new TypeError("no connection");
    if (path === "live") return this.watch(url.searchParams, init?.signal ?? null);
    if (path === "live/pause") return json(this.make(this.status.total_events, 1000));
    if (path === "live/older") return json(this.make(Number(url.searchParams.get("before")), 500));
    const snapshot = this.snapshots.get(Number(url.searchParams.get("snapshot")));
    const isLate = query !== null && this.lateFor.delete(query.query);
    if (snapshot === undefined || isLate)
      return new Response(JSON.stringify({ error: "snapshot gone" }), { status: 410 });
    return json(query === null ? null : this.answer(snapshot, query));
  };

  /** Records events: a new snapshot of the last `events` up to `total`. */
  record(total: number, events: number): void {
    this.status = { ...this.status, total_events: total };
    this.status = { ...this.make(total, events), version: this.status.version + 1 };
    this.wake();
  }

  /** Changes something else. */
  change(changes: Partial<LiveStatus>): void {
    this.status = { ...this.status, ...changes, version: this.status.version + 1 };
    this.wake();
  }

  /** Drops all snapshots. */
  dropSnapshots(): void {
    this.snapshots.clear();
  }

  /** Number of snapshots. */
  get size(): number {
    return this.snapshots.size;
  }

  /** Makes a snapshot of at most `limit` events before that number, 10 ticks each. */
  private make(before: number, most: number): LiveStatus {
    const first = Math.max(before - most, 0);
    const [base, events, span] = [
      { event: first, time: first * 10 },
      before - first,
      (before - first - 1) * 10,
    ];
    this.last += 1;
    this.known.push(...this.threads.filter((name) => !this.known.includes(name)));
    const overview = overviewOf(this.known.map((name) => ({ name, priority: 5, events: 3 })));
    this.snapshots.set(this.last, {
      ...overview,
      lane_order: [0, 1, 2, 3, 4, ...this.threads.map((name) => 5 + this.known.indexOf(name))],
      base,
      events,
      span,
      clock: { ...overview.clock, frequency_hz: 1000 },
    });
    for (const old of this.snapshots.keys())
      if (this.snapshots.size > 8) this.snapshots.delete(old);
    return { ...this.status, snapshot: this.last, base, events, span, has_older: first > 0 };
  }

  private last = 0;

  private wake(): void {
    for (const go of this.waiting) go();
    this.waiting.clear();
  }

  private watch(parameters: URLSearchParams, signal: AbortSignal | null): Promise<Response> {
    const number = (name: string) => Number(parameters.get(name) ?? 0);
    const isNews = () =>
      this.status.version > number("version") || this.status.snapshot > number("after");
    return new Promise((resolve, reject) => {
      const go = () => {
        if (isNews()) resolve(json(this.status));
        else this.waiting.add(go);
      };
      signal?.addEventListener("abort", () => {
        this.waiting.delete(go);
        reject(new DOMException("stopped", "AbortError"));
      });
      go();
    });
  }

  private answer({ base, events }: Overview, query: Query): unknown {
    switch (query.query) {
      case "overview":
        return this.snapshots.get(this.numberOf(base.event, events));
      case "bookmarks":
        return this.bookmarks.filter(
          ({ event }) => event >= base.event && event < base.event + events,
        );
      case "lane-looks":
        return [];
      case "locate": {
        const event = Math.min(
          Math.floor(query.axis === "time" ? query.at / 10 : query.at),
          base.event + events - 1,
        );
        return event < base.event ? null : { event, time: event * 10, context: 3, kind: 3 };
      }
      default:
        return null;
    }
  }

  private numberOf(event: number, events: number): number {
    return (
      [...this.snapshots].findLast(
        ([, one]) => one.base.event === event && one.events === events,
      )?.[0] ?? -1
    );
  }
}

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { status: 200 });
}
