/** When events happened that are known by number only. */

import { signal } from "@preact/signals";
import type { Door } from "../../session/door";
import type { Place } from "../../session/wire";

const KEPT = 20_000;

/** Looks events up, a few at a time, and remembers where they lie. */
export class Places {
  private readonly known = new Map<number, Place | null>();
  private readonly waiting: number[] = [];
  private busy = false;
  /** Changes whenever a place becomes known. */
  readonly changes = signal(0);

  constructor(private readonly door: Door) {}

  /** Where an event lies; `null` as long as that is not known. */
  of(event: number): Place | null {
    const place = this.known.get(event);
    if (place !== undefined) return place;
    this.known.set(event, null);
    this.waiting.push(event);
    if (!this.busy) void this.look();
    return null;
  }

  /** Asks again for those that were not known. */
  retry(): void {
    for (const [event, place] of this.known) if (place === null) this.known.delete(event);
    this.changes.value += 1;
  }

  private async look(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      const events = this.waiting.splice(0, 16);
      const ask = (at: number) => this.door.ask({ ask: "locate", axis: "index", at });
      const found = await Promise.allSettled(events.map(ask));
      if (this.known.size > KEPT) this.known.clear();
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
