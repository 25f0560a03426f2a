/** Rows of a long table, fetched by the page and kept for a while. */

import { signal, type ReadonlySignal } from "@preact/signals";
import type { Row, Rows } from "../../session/wire";

const PAGE = 200;
const KEPT = 48;
const AT_ONCE = 2;

/** Fetches `count` rows from row `from` on. */
export type Fetch = (from: number, count: number, signal: AbortSignal) => Promise<Rows>;

/** The rows of a table that are known. */
export class Pages {
  /** Changes whenever more rows are known. */
  readonly version: ReadonlySignal<number>;
  private readonly changed = signal(0);
  /** The pages by number, the one that was used last at the end. */
  private readonly pages = new Map<number, Row[]>();
  private readonly underWay = new Map<number, AbortController>();
  private wanted: number[] = [];
  private isClosed = false;

  constructor(private readonly fetch: Fetch, private readonly fail: (error: unknown) => void) {
    this.version = this.changed;
  }

  /** A row, if it is known. */
  row(number: number): Row | null {
    return this.pages.get(Math.floor(number / PAGE))?.[number % PAGE] ?? null;
  }

  /** Sees to it that these rows are known soon. What was wanted before and is not now is dropped. */
  want(from: number, to: number): void {
    this.wanted = [];
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) {
      const known = this.pages.get(page);
      if (known) {
        this.pages.delete(page);
        this.pages.set(page, known);
      } else {
        this.wanted.push(page);
      }
    }
    for (const [page, stop] of this.underWay) if (!this.wanted.includes(page)) stop.abort();
    this.next();
  }

  /** Stops fetching. */
  close(): void {
    this.isClosed = true;
    for (const stop of this.underWay.values()) stop.abort();
  }

  private next(): void {
    for (const page of this.wanted) {
      if (this.isClosed || this.underWay.size >= AT_ONCE) return;
      if (!this.underWay.has(page) && !this.pages.has(page)) void this.load(page);
    }
  }

  private async load(page: number): Promise<void> {
    const stop = new AbortController();
    this.underWay.set(page, stop);
    try {
      const { rows } = await this.fetch(page * PAGE, PAGE, stop.signal);
      this.keep(page, rows);
    } catch (error) {
      if (!stop.signal.aborted) {
        this.wanted = [];
        this.fail(error);
      }
    }
    this.underWay.delete(page);
    this.next();
  }

  private keep(page: number, rows: Row[]): void {
    this.pages.set(page, rows);
    for (const old of this.pages.keys()) {
      if (this.pages.size <= KEPT) break;
      this.pages.delete(old);
    }
    this.changed.value += 1;
  }
}
