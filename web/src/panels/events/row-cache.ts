/** Page cache of a long table. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { EventRow } from "../../session/wire";

const PAGE_ROWS = 200;
const MAX_CACHED = 48;
const MAX_CONCURRENT = 2;

/** Fetches `count` rows starting at row `from`; rows that do not exist may be missing. */
export type FetchRows = (
  from: number,
  count: number,
  signal: AbortSignal,
) => Promise<{ rows: readonly (EventRow | undefined)[] }>;

/** A page of rows, and the number of rows that existed when it was fetched. */
interface RowPage {
  rows: readonly (EventRow | undefined)[];
  available: number;
}

/** Loaded rows of a table. */
export class RowCache {
  /** Incremented when rows are loaded. */
  readonly version: ReadonlySignal<number>;
  /** The end of a growing table up to which its last rows are loaded; `null` if none are. */
  readonly loadedEnd: ReadonlySignal<number | null>;
  private readonly changed = signal(0);
  private readonly followed = signal<number | null>(null);
  /** Pages by number, the most recently used last. */
  private readonly pages = new Map<number, RowPage>();
  private readonly requests = new Map<number, AbortController>();
  private wanted: number[] = [];
  private end = Infinity;
  /** The end to follow once the current load is complete. */
  private nextEnd: { end: number; rows: number } | null = null;
  private isLoadingEnds = false;
  private readonly closed = new AbortController();

  constructor(
    private readonly fetch: FetchRows,
    private readonly onError: (error: unknown) => void,
  ) {
    this.version = this.changed;
    this.loadedEnd = this.followed;
  }

  /** A row, `null` until loaded. */
  row(number: number): EventRow | null {
    return this.pages.get(Math.floor(number / PAGE_ROWS))?.rows[number % PAGE_ROWS] ?? null;
  }

  /** Loads these rows, of those before `end`. Pending requests for other rows are aborted. */
  request(from: number, to: number, end = Infinity): void {
    this.wanted = [];
    this.end = end;
    for (let page = Math.floor(from / PAGE_ROWS); page * PAGE_ROWS < to; page += 1) {
      const known = this.pages.get(page);
      if (known && !this.hasGrown(page)) {
        this.pages.delete(page);
        this.pages.set(page, known);
      } else {
        this.wanted.push(page);
      }
    }
    for (const [page, stop] of this.requests) if (!this.wanted.includes(page)) stop.abort();
    this.next();
  }

  /**
   * Loads the last rows before `end`, then sets `loadedEnd`. A table that grows faster than its
   * rows arrive gets the end of the latest call once the load before is complete.
   */
  follow(end: number, rows: number): void {
    this.nextEnd = { end, rows };
    if (!this.isLoadingEnds) void this.loadEnds();
  }

  /** Marks all pages as outdated: they are shown until they are fetched again. */
  invalidate(): void {
    for (const page of this.pages.values()) page.available = -1;
  }

  /** Aborts all requests. */
  close(): void {
    for (const stop of this.requests.values()) stop.abort();
    this.closed.abort();
  }

  /** Current number of rows of a page. */
  private present(page: number): number {
    return Math.min(PAGE_ROWS, this.end - page * PAGE_ROWS);
  }

  /** Whether a page is not loaded, or has more rows now. */
  private hasGrown(page: number): boolean {
    const known = this.pages.get(page);
    return known === undefined || known.available < this.present(page);
  }

  private next(): void {
    for (const page of this.wanted) {
      if (this.closed.signal.aborted || this.requests.size >= MAX_CONCURRENT) return;
      if (!this.requests.has(page) && this.hasGrown(page)) void this.load(page);
    }
  }

  private async loadEnds(): Promise<void> {
    this.isLoadingEnds = true;
    while (this.nextEnd !== null && !this.closed.signal.aborted) {
      const { end, rows } = this.nextEnd;
      this.nextEnd = null;
      const from = Math.max(0, end - rows);
      try {
        const { rows: last } = await this.fetch(from, end - from, this.closed.signal);
        this.insert(from, end, last);
        this.followed.value = end;
      } catch (error) {
        if (!this.closed.signal.aborted) this.onError(error);
        break;
      }
    }
    this.isLoadingEnds = false;
  }

  private async load(page: number): Promise<void> {
    const stop = new AbortController();
    this.requests.set(page, stop);
    const available = this.present(page);
    try {
      const { rows } = await this.fetch(page * PAGE_ROWS, PAGE_ROWS, stop.signal);
      this.keep(page, { rows, available });
    } catch (error) {
      if (!stop.signal.aborted) {
        this.wanted = [];
        this.onError(error);
      }
    }
    this.requests.delete(page);
    this.next();
  }

  /** Adds rows to their pages, which count as incomplete. */
  private insert(from: number, end: number, rows: RowPage["rows"]): void {
    for (let page = Math.floor(from / PAGE_ROWS); page * PAGE_ROWS < end; page += 1) {
      const first = page * PAGE_ROWS;
      const known = this.pages.get(page);
      const all = [...(known?.rows ?? [])];
      for (let row = Math.max(from, first); row < Math.min(end, first + PAGE_ROWS); row += 1)
        all[row - first] = rows[row - from];
      this.keep(page, { rows: all, available: known?.available ?? 0 });
    }
  }

  private keep(page: number, known: RowPage): void {
    this.pages.delete(page);
    this.pages.set(page, known);
    for (const old of this.pages.keys()) {
      if (this.pages.size <= MAX_CACHED) break;
      this.pages.delete(old);
    }
    this.changed.value += 1;
  }
}
