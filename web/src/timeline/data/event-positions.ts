/** Cache of event positions by event number. */

import { signal } from "@preact/signals";
import type { SessionClient } from "../../session/client";
import type { EventPosition } from "../../session/wire";

const MAX_CACHED = 20_000;

/** Locates events, a few at a time, and caches their positions. */
export class EventPositions {
  private readonly known = new Map<number, EventPosition | null>();
  private readonly waiting: number[] = [];
  private busy = false;
  /** Incremented when positions arrive. */
  readonly changes = signal(0);

  constructor(private readonly client: SessionClient) {}

  /** Position of an event; `null` until known. */
  get(event: number): EventPosition | null {
    const place = this.known.get(event);
    if (place !== undefined) return place;
    this.known.set(event, null);
    this.waiting.push(event);
    if (!this.busy) void this.locate();
    return null;
  }

  /** Queries unknown positions again. */
  retry(): void {
    for (const [event, place] of this.known) if (place === null) this.known.delete(event);
    this.changes.value += 1;
  }

  private async locate(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      const events = this.waiting.splice(0, 16);
      const ask = (at: number) => this.client.query({ query: "locate", axis: "index", at });
      const found = await Promise.allSettled(events.map(ask));
      if (this.known.size > MAX_CACHED) this.known.clear();
      found.forEach((result, index) => {
        const event = events[index];
        if (event === undefined || result.status !== "fulfilled") return;
        this.known.set(event, result.value);
      });
      this.changes.value += 1;
    }
    this.busy = false;
  }
}
