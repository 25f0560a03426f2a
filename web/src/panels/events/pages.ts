/** Rows of a long table, fetched by the page and kept for a while. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Row } from "../../session/wire";

const PAGE = 200;
const KEPT = 48;
const AT_ONCE = 2;

/** Fetches `count` rows from row `from` on; of those, rows may be missing that are not there. */
export type Fetch = (
  from: number,
  count: number,
  signal: AbortSignal,
) => Promise<{ rows: readonly (Row | undefined)[] }>;

/** A page of rows, and how many of them there were to be known. */
interface Page {
  rows: readonly (Row | undefined)[];
  wanted: number;
}

/** The rows of a table that are known. */
export class Pages {
  /** Changes whenever more rows are known. */
  readonly version: ReadonlySignal<number>;
  private readonly changed = signal(0);
  /** The pages by number, the one that was used last at the end. */
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

  /** A row, if it is known. */
  row(number: number): Row | null {
    return this.pages.get(Math.floor(number / PAGE))?.rows[number % PAGE] ?? null;
  }

  /**
   * Sees to it that these rows, of those before `end`, are known soon. What was wanted before and is not
   * now is dropped.
   */
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

  /** Fetches what is wanted anew, and keeps what is known until then: the rows have become others. */
  renew(): void {
    for (const page of this.pages.values()) page.wanted = -1;
  }

  /** Stops fetching. */
  close(): void {
    this.isClosed = true;
    for (const stop of this.underWay.values()) stop.abort();
  }

  /** How many rows of a page there are now. */
  private present(page: number): number {
    return Math.min(PAGE, this.end - page * PAGE);
  }

  /** Whether there are more rows of a page than when it was fetched, or it was not. */
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
