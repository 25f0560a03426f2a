/** Page cache of a long table. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { EventRow } from "../../session/wire";

const PAGE = 200;
const KEPT = 48;
const AT_ONCE = 2;

/** Fetches `count` rows starting at row `from`; rows that do not exist may be missing. */
export type Fetch = (
  from: number,
  count: number,
  signal: AbortSignal,
) => Promise<{ rows: readonly (EventRow | undefined)[] }>;

/** A page of rows, and the number of rows that existed when it was fetched. */
interface Page {
  rows: readonly (EventRow | undefined)[];
  wanted: number;
}

/** Loaded rows of a table. */
export class Pages {
  /** Incremented when rows are loaded. */
  readonly version: ReadonlySignal<number>;
  private readonly changed = signal(0);
  /** Pages by number, the most recently used last. */
  private readonly pages = new Map<number, Page>();
  private readonly underWay = new Map<number, AbortController>();
  private wanted: number[] = [];
  private end = Infinity;
  private isClosed = false;

  constructor(
    private readonly fetch: Fetch,
    private readonly fail: (error: unknown) => void,
  ) {
    this.version = this.changed;
  }

  /** A row, `null` until loaded. */
  row(number: number): EventRow | null {
    return this.pages.get(Math.floor(number / PAGE))?.rows[number % PAGE] ?? null;
  }

  /** Loads these rows, of those before `end`. Pending requests for other rows are aborted. */
  want(from: number, to: number, end = Infinity): void {
    this.wanted = [];
    this.end = end;
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) {
      const known = this.pages.get(page);
      if (known && !this.hasGrown(page)) {
        this.pages.delete(page);
        this.pages.set(page, known);
      } else {
        this.wanted.push(page);
      }
    }
    for (const [page, stop] of this.underWay) if (!this.wanted.includes(page)) stop.abort();
    this.next();
  }

  /** Marks all pages as outdated: they are shown until they are fetched again. */
  renew(): void {
    for (const page of this.pages.values()) page.wanted = -1;
  }

  /** Aborts all requests. */
  close(): void {
    this.isClosed = true;
    for (const stop of this.underWay.values()) stop.abort();
  }

  /** Current number of rows of a page. */
  private present(page: number): number {
    return Math.min(PAGE, this.end - page * PAGE);
  }

  /** Whether a page is not loaded, or has more rows now. */
  private hasGrown(page: number): boolean {
    const known = this.pages.get(page);
    return known === undefined || known.wanted < this.present(page);
  }

  private next(): void {
    for (const page of this.wanted) {
      if (this.isClosed || this.underWay.size >= AT_ONCE) return;
      if (!this.underWay.has(page) && this.hasGrown(page)) void this.load(page);
    }
  }

  private async load(page: number): Promise<void> {
    const stop = new AbortController();
    this.underWay.set(page, stop);
    const wanted = this.present(page);
    try {
      const { rows } = await this.fetch(page * PAGE, PAGE, stop.signal);
      this.keep(page, { rows, wanted });
    } catch (error) {
      if (!stop.signal.aborted) {
        this.wanted = [];
        this.fail(error);
      }
    }
    this.underWay.delete(page);
    this.next();
  }

  private keep(page: number, known: Page): void {
    this.pages.set(page, known);
    for (const old of this.pages.keys()) {
      if (this.pages.size <= KEPT) break;
      this.pages.delete(old);
    }
    this.changed.value += 1;
  }
}
