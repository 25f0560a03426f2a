/** An open trace and what of it is being looked at. */

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Door } from "../session/door";
import type {
  Axis,
  Bookmark,
  By,
  Direction,
  Overview,
  Place,
  Search,
  Window,
} from "../session/wire";
import { LaneList } from "./lanes";
import type { LiveTrace } from "./live/live-trace";
import { clamp, type Extent, limits, type Part } from "./window";

/** A search and how many events it found; `error` says why it could not be made. */
export interface Searched {
  search: Search;
  total: number;
  error: string | null;
}

/** A range that was dragged, in the units of the axis on which that happened. */
export interface Range {
  axis: Axis;
  from: number;
  to: number;
}

/** A moment, on both axes. */
export interface Moment {
  time: number;
  event: number;
}

let serials = 0;

/**
 * What of a trace is being looked at. Every view follows it, every command changes it. Events and times
 * count from the beginning of the recording, of which the trace may be a part.
 */
export class TraceState {
  readonly axis: Signal<Axis> = signal("time");
  /** The visible part, in the units of the axis. Change it by {@link show}. */
  readonly window: Signal<Part>;
  /** Where the pointer is, in the units of the axis. */
  readonly cursor: Signal<number | null> = signal(null);
  /** The selected event. */
  readonly selected: Signal<Place | null> = signal(null);
  /** Events whose details stay open, side by side. */
  readonly pinned: Signal<number[]> = signal([]);
  readonly range: Signal<Range | null> = signal(null);
  readonly markers: { a: Signal<Moment | null>; b: Signal<Moment | null> } = {
    a: signal(null),
    b: signal(null),
  };
  readonly bookmarks: Signal<Bookmark[]> = signal([]);
  readonly searched: Signal<Searched | null> = signal(null);
  /** What next and previous go by. */
  readonly by: Signal<By> = signal({ mode: "event" });
  /** Which lanes are shown, in which order. */
  readonly lanes: LaneList;
  /** Ticks in a second, if that is known. */
  readonly hz: Signal<number | null>;
  /** Where the trace lies in the recording: of a live one, it moves on. */
  readonly extent: Signal<Extent>;
  /** The whole trace, in the units of the axis. */
  readonly whole: ReadonlySignal<Part>;
  /** What records the trace, if it is a live one. */
  live: LiveTrace | null = null;
  /** Changes when there is something new to ask about: of a live trace once in a while, else never. */
  readonly news: Signal<number> = signal(0);
  /** Changes when the trace comes to have lanes, threads, objects or kinds of events that it had not. */
  readonly structure: Signal<number> = signal(0);
  /** Changes when the numbers of lanes, threads, objects and the like come to stand for others. */
  readonly numbering: Signal<number> = signal(0);
  /** Changes when the server was away: all that is shown is asked for again. */
  readonly reloads: Signal<number> = signal(0);
  /** Another number for each trace that was ever shown, whatever its id. */
  readonly serial: number;
  /** Whether the visible part moves on with what is recorded. */
  readonly isFollowing: Signal<boolean> = signal(false);
  /**
   * The visible part for panels, which take their time: while the view follows a recording, where it was
   * going at the last news. A recording that has ended brings no more news, so this is not where the view
   * happened to be then.
   */
  readonly calm: ReadonlySignal<Part>;
  private readonly described: Signal<Overview>;

  constructor(
    readonly id: number,
    overview: Overview,
    readonly door: Door,
  ) {
    serials += 1;
    this.serial = serials;
    this.described = signal(overview);
    this.extent = signal(overview);
    this.lanes = new LaneList(this.described);
    this.hz = signal(overview.clock.hz);
    this.whole = computed(() => limits(this.extent.value, this.axis.value));
    this.window = signal(limits(overview, "time"));
    if (overview.clock.quality === "static") this.axis.value = "index";
    this.window.value = this.whole.peek();
    this.calm = computed(() => {
      if (!this.isFollowing.value) return this.window.value;
      void this.news.value;
      return this.live?.destination() ?? this.window.peek();
    });
  }

  /** What the trace is. Who reads it is told when a live trace becomes another. */
  get overview(): Overview {
    return this.described.value;
  }

  /** Says what a live trace has become. */
  describe(overview: Overview): void {
    this.described.value = overview;
  }

  /** The visible part, as questions name it; the calm one. */
  asked(): Window {
    return { axis: this.axis.value, ...this.calm.value };
  }

  /** Shows a part, as far as there is one. */
  show(from: number, to: number): void {
    this.live?.pause();
    this.window.value = clamp({ from, to }, this.whole.peek(), this.axis.peek());
  }

  /** Zooms so that the visible part is `factor` times as long, around a position. */
  zoom(factor: number, around?: number): void {
    if (this.isFollowing.peek()) {
      this.live?.stretch(factor);
      return;
    }
    const { from, to } = this.window.peek();
    const fixed = around ?? (from + to) / 2;
    this.show(fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
  }

  /** Moves by a part of the visible length. */
  pan(part: number): void {
    // Nothing lies beyond the edge that is followed.
    if (part > 0 && this.isFollowing.peek()) return;
    const { from, to } = this.window.peek();
    const by = (to - from) * part;
    // What lies before the beginning may be on disk.
    if (by < 0 && from <= this.whole.peek().from) void this.live?.older();
    this.show(from + by, to + by);
  }

  /** Brings a position into view, in the middle if it is not visible already. */
  reveal(at: number): void {
    const { from, to } = this.window.peek();
    const margin = (to - from) * 0.05;
    if (at >= from + margin && at <= to - margin) return;
    this.show(at - (to - from) / 2, at + (to - from) / 2);
  }

  /** Where an event lies on the axis; on that of events, the middle of its place. */
  position(place: { event: number; time: number }): number {
    return this.axis.peek() === "time" ? place.time : place.event + 0.5;
  }

  /** Selects an event and brings it into view. Tells whether there is one. */
  async select(event: number): Promise<boolean> {
    await this.live?.reach(event);
    const place = await this.door.ask({ ask: "locate", axis: "index", at: event });
    if (place === null || place.event !== event) return false;
    this.selectPlace(place);
    return true;
  }

  /** Selects what was already located. */
  selectPlace(place: Place): void {
    batch(() => {
      this.selected.value = place;
      this.reveal(this.position(place));
    });
  }

  /** Selects the next or previous event, by the mode or by what is given. */
  async step(direction: Direction, by: By = this.by.peek()): Promise<boolean> {
    const from = this.selected.peek()?.event ?? (await this.centre());
    const place = await this.door.ask({ ask: "step", from, direction, by });
    if (place !== null) this.selectPlace(place);
    return place !== null;
  }

  /** The event in the middle of the visible part. */
  private async centre(): Promise<number> {
    const { from, to } = this.window.peek();
    const at = (from + to) / 2;
    const place = await this.door.ask({ ask: "locate", axis: this.axis.peek(), at });
    return place?.event ?? this.extent.peek().base.event;
  }

  /** Changes the axis and stays at the same spot. */
  async switchAxis(axis: Axis): Promise<void> {
    const old = this.axis.peek();
    if (axis === old) return;
    const { from, to } = this.window.peek();
    const ask = (at: number) => this.door.ask({ ask: "locate", axis: old, at });
    // In the sequential view, the last event ends where the next one begins.
    const end = old === "index" ? Math.max(from, Math.ceil(to) - 1) : to;
    const [first, last] = await Promise.all([ask(from), ask(end)]);
    batch(() => {
      this.axis.value = axis;
      this.range.value = null;
      if (this.isFollowing.peek()) return;
      if (first === null || last === null) this.window.value = this.whole.peek();
      else if (axis === "time") this.show(first.time, Math.max(last.time, first.time + 1));
      else this.show(first.event, last.event + 1);
      const selected = this.selected.peek();
      if (selected !== null) this.reveal(this.position(selected));
    });
  }

  /** Says how fast the clock ticks. */
  async setClock(hz: number | null): Promise<void> {
    await this.door.tell({ tell: "clock", hz });
    this.hz.value = hz;
  }

  /** Replaces the bookmarks, which the server keeps beside the recording. */
  async setBookmarks(bookmarks: Bookmark[]): Promise<void> {
    const sorted = bookmarks.toSorted((one, other) => one.event - other.event);
    await this.door.tell({ tell: "bookmarks", bookmarks: sorted });
    this.bookmarks.value = sorted;
  }
}
