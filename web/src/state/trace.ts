/** State of an open trace's view. */

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { SessionClient } from "../session/client";
import type {
  Axis,
  Bookmark,
  Direction,
  EventPosition,
  Overview,
  Search,
  StepBy,
  Window,
} from "../session/wire";
import { usableFrequency } from "./clock";
import { clamp, type Extent, type Interval, limits } from "./interval";
import { declaredIntervals, type ShownIntervals } from "./intervals";
import type { LookChanges } from "./lane-looks";
import { LaneList } from "./lanes";
import type { LiveTrace } from "./live/live-trace";

/** A search with its number of hits; `error` is set if it failed. */
export interface SearchResult {
  search: Search;
  total: number;
  error: string | null;
}

/** A range selected by dragging, in the units of its axis. */
export interface SelectedRange {
  axis: Axis;
  start: number;
  end: number;
}

/**
 * Logarithmic scale of density strips, in whole binary logarithms of the number of events a pixel;
 * `high` is greater than `low`.
 */
export interface DensityScale {
  low: number;
  high: number;
}

/** A moment on both axes. */
export interface Moment {
  time: number;
  event: number;
}

let serials = 0;

/**
 * State of the view of a trace. All views render it, all commands change it. Events and times count
 * from the start of the recording; the trace may be a part of it.
 */
export class TraceState {
  readonly axis: Signal<Axis> = signal("time");
  /** Visible interval, in the units of the axis. Change it with {@link show}. */
  readonly window: Signal<Interval>;
  /** Position of the pointer, in the units of the axis. */
  readonly cursor: Signal<number | null> = signal(null);
  /** Selected event. */
  readonly selected: Signal<EventPosition | null> = signal(null);
  /** Scale of the density strips on the page; `null` if there are none. */
  readonly densityScale: Signal<DensityScale | null> = signal(null);
  /** Events with pinned details. */
  readonly pinned: Signal<number[]> = signal([]);
  readonly range: Signal<SelectedRange | null> = signal(null);
  readonly markers: { a: Signal<Moment | null>; b: Signal<Moment | null> } = {
    a: signal(null),
    b: signal(null),
  };
  readonly bookmarks: Signal<Bookmark[]> = signal([]);
  /** User-defined intervals with a lane; first those that were declared. */
  readonly intervals: Signal<ShownIntervals[]>;
  readonly searchResult: Signal<SearchResult | null> = signal(null);
  /** Criterion of next and previous. */
  readonly stepMode: Signal<StepBy> = signal({ mode: "event" });
  /** Shown lanes and their order. */
  readonly lanes: LaneList;
  /** Clock frequency in hertz, if known and if the clock measures time. */
  readonly frequencyHz: Signal<number | null>;
  /** Where the frequency is from; `null` if it is unknown. */
  readonly clockSource: Signal<string | null>;
  /** Extent of the trace within the recording; that of a live trace moves. */
  readonly extent: Signal<Extent>;
  /** What can be shown if that is more than the trace, because another recording moves with it. */
  readonly room: Signal<Interval | null> = signal(null);
  /** Full extent of the trace, in the units of the axis. */
  readonly fullInterval: ReadonlySignal<Interval>;
  /** Live recording of this trace, if any. */
  live: LiveTrace | null = null;
  /** Incremented when new data can be queried; limited in rate for live traces. */
  readonly dataVersion: Signal<number> = signal(0);
  /** Incremented when lanes, threads, objects or event kinds are added. */
  readonly structureVersion: Signal<number> = signal(0);
  /** Incremented when identifiers of lanes, threads and objects are reassigned. */
  readonly idsVersion: Signal<number> = signal(0);
  /** Incremented when the server was unreachable, so that everything is queried again. */
  readonly reloads: Signal<number> = signal(0);
  /** Unique number of this object, independent of the trace's id. */
  readonly serial: number;
  /** Resolves when the selections on their way have arrived; `null` if there are none. */
  arriving: Promise<void> | null = null;
  /** Whether the view follows the recording. */
  readonly isFollowing: Signal<boolean> = signal(false);
  /**
   * Visible interval for panels, which take longer to update: while the view follows a recording,
   * its target at the last update. A recording that has ended has no more updates, so this is the
   * target, not wherever the view happened to be at the last update.
   */
  readonly settledWindow: ReadonlySignal<Interval>;
  private readonly currentOverview: Signal<Overview>;

  constructor(
    readonly id: number,
    overview: Overview,
    readonly client: SessionClient,
  ) {
    serials += 1;
    this.serial = serials;
    this.currentOverview = signal(overview);
    this.extent = signal(overview);
    this.intervals = signal(declaredIntervals(overview));
    this.lanes = new LaneList(this.currentOverview);
    this.frequencyHz = signal(overview.clock.frequency_hz);
    this.clockSource = signal(overview.clock.source);
    this.fullInterval = computed(() => limits(this.extent.value, this.axis.value));
    this.window = signal(limits(overview, "time"));
    if (overview.clock.quality === "static") this.axis.value = "index";
    this.window.value = this.fullInterval.peek();
    this.settledWindow = computed(() => {
      if (!this.isFollowing.value) return this.window.value;
      void this.dataVersion.value;
      return this.live?.watchTarget() ?? this.window.peek();
    });
  }

  /** Overview of the trace. Reading it subscribes to changes of a live trace. */
  get overview(): Overview {
    return this.currentOverview.value;
  }

  /** Sets the overview of a live trace. */
  setOverview(overview: Overview): void {
    this.currentOverview.value = overview;
  }

  /** Settled window for queries. */
  queryWindow(): Window {
    return { axis: this.axis.value, ...this.settledWindow.value };
  }

  /** Shows an interval, clamped to the trace. */
  show(from: number, to: number): void {
    this.live?.pause();
    const whole = this.room.peek() ?? this.fullInterval.peek();
    this.window.value = clamp({ start: from, end: to }, whole, this.axis.peek());
  }

  /** Scales the visible interval by `factor` around a position. */
  zoom(factor: number, around?: number): void {
    if (this.isFollowing.peek()) {
      this.live?.stretch(factor);
      return;
    }
    const { start: from, end: to } = this.window.peek();
    const fixed = around ?? (from + to) / 2;
    this.show(fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
  }

  /** Moves by a fraction of the visible length. */
  pan(part: number): void {
    // There is nothing after the live edge.
    if (part > 0 && this.isFollowing.peek()) return;
    const { start: from, end: to } = this.window.peek();
    const by = (to - from) * part;
    // Events before the start may be on disk.
    if (by < 0 && from <= this.fullInterval.peek().start) void this.live?.older();
    this.show(from + by, to + by);
  }

  /** Brings a position into view, centred if it is not visible already. */
  reveal(at: number): void {
    const { start: from, end: to } = this.window.peek();
    const margin = (to - from) * 0.05;
    if (at >= from + margin && at <= to - margin) return;
    this.show(at - (to - from) / 2, at + (to - from) / 2);
  }

  /** Position of an event on the axis; in the sequential view, the middle of its slot. */
  position(place: { event: number; time: number }): number {
    return this.axis.peek() === "time" ? place.time : place.event + 0.5;
  }

  /** Announces a selection: commands of the selected event wait for it. */
  announce<T>(selecting: Promise<T>): Promise<T> {
    const all = Promise.allSettled([this.arriving, selecting]).then(() => {
      if (this.arriving === all) this.arriving = null;
    });
    this.arriving = all;
    return selecting;
  }

  /** Selects an event and brings it into view. Returns whether it exists. */
  select(event: number): Promise<boolean> {
    return this.announce(this.locateAndSelect(event));
  }

  private async locateAndSelect(event: number): Promise<boolean> {
    await this.live?.loadEvent(event);
    const place = await this.client.query({ query: "locate", axis: "index", at: event });
    if (place === null || place.event !== event) return false;
    this.selectLocated(place);
    return true;
  }

  /** Selects an event whose location is known. */
  selectLocated(place: EventPosition): void {
    batch(() => {
      this.selected.value = place;
      this.reveal(this.position(place));
    });
  }

  /** Selects the next or previous event by a criterion. */
  async step(direction: Direction, by: StepBy = this.stepMode.peek()): Promise<boolean> {
    const from = this.selected.peek()?.event ?? (await this.centre());
    const place = await this.client.query({ query: "step", from, direction, by });
    if (place !== null) this.selectLocated(place);
    return place !== null;
  }

  /** Event in the middle of the visible interval. */
  private async centre(): Promise<number> {
    const { start: from, end: to } = this.window.peek();
    const at = (from + to) / 2;
    const place = await this.client.query({ query: "locate", axis: this.axis.peek(), at });
    return place?.event ?? this.extent.peek().base.event;
  }

  /** Changes the axis and stays at the same position. */
  async switchAxis(axis: Axis): Promise<void> {
    const old = this.axis.peek();
    if (axis === old) return;
    const { start: from, end: to } = this.window.peek();
    const ask = (at: number) => this.client.query({ query: "locate", axis: old, at });
    // In the sequential view, the last event ends where the next one starts.
    const end = old === "index" ? Math.max(from, Math.ceil(to) - 1) : to;
    const [first, last] = await Promise.all([ask(from), ask(end)]);
    batch(() => {
      this.axis.value = axis;
      this.range.value = null;
      if (this.isFollowing.peek()) return;
      if (first === null || last === null) this.window.value = this.fullInterval.peek();
      else if (axis === "time") this.show(first.time, Math.max(last.time, first.time + 1));
      else this.show(first.event, last.event + 1);
      const selected = this.selected.peek();
      if (selected !== null) this.reveal(this.position(selected));
    });
  }

  /** Sets the clock frequency. */
  async setClock(hz: number | null): Promise<void> {
    await this.client.command({ command: "clock", frequency_hz: hz });
    batch(() => {
      this.frequencyHz.value = usableFrequency(this.overview.clock, hz);
      this.clockSource.value = hz === null ? null : "page";
    });
  }

  /** Saves a bookmark. `replaces` is the note that it replaces, as the user saw it. */
  async putBookmark(bookmark: Bookmark, replaces: string | null): Promise<void> {
    await this.client.command({ command: "put-bookmark", bookmark, replaces });
    await this.refreshNotes();
  }

  async removeBookmark(bookmark: Bookmark): Promise<void> {
    await this.client.command({ command: "remove-bookmark", bookmark });
    await this.refreshNotes();
  }

  /** Changes a part of what the user chose for a lane, and saves it. */
  async changeLook(lane: number, changes: LookChanges): Promise<void> {
    const look = this.lanes.change(lane, changes);
    if (look !== null) await this.client.command({ command: "put-lane-look", look });
  }

  /** Shows the notes that the server has: other pages change them, too. */
  async refreshNotes(): Promise<void> {
    const [bookmarks, looks] = await Promise.all([
      this.client.query({ query: "bookmarks" }),
      this.client.query({ query: "lane-looks" }),
    ]);
    batch(() => {
      this.bookmarks.value = bookmarks;
      this.lanes.setLooks(looks);
    });
  }

  /** Shows what commands of other pages have changed. */
  async refresh(): Promise<void> {
    const [clock] = await Promise.all([this.client.query({ query: "clock" }), this.refreshNotes()]);
    batch(() => {
      this.frequencyHz.value = usableFrequency(clock, clock.frequency_hz);
      this.clockSource.value = clock.source;
    });
  }
}
