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
  private readonly changed = signal(0);
  /** Pages by number, the most recently used last. */
  private readonly pages = new Map<number, RowPage>();
  private readonly requests = new Map<number, AbortController>();
  private wanted: number[] = [];
  private end = Infinity;
  private isClosed = false;

  constructor(
    private readonly fetch: FetchRows,
    private readonly onError: (error: unknown) => void,
  ) {
    this.version = this.changed;
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

  /** Marks all pages as outdated: they are shown until they are fetched again. */
  invalidate(): void {
    for (const page of this.pages.values()) page.available = -1;
  }

  /** Aborts all requests. */
  close(): void {
    this.isClosed = true;
    for (const stop of this.requests.values()) stop.abort();
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
      if (this.isClosed || this.requests.size >= MAX_CONCURRENT) return;
      if (!this.requests.has(page) && this.hasGrown(page)) void this.load(page);
    }
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

  private keep(page: number, known: RowPage): void {
    this.pages.set(page, known);
    for (const old of this.pages.keys()) {
      if (this.pages.size <= MAX_CACHED) break;
      this.pages.delete(old);
    }
    this.changed.value += 1;
  }
}
