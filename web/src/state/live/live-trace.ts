/** A trace that is still being recorded, and the view that follows it. */

import {
  batch,
  computed,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from "@preact/signals";
import { Refused } from "../../session/door";
import { EditionDoor, GONE } from "../../session/edition/door";
import { type Recording, recording as recordingOf } from "../../session/live";
import type { Axis, LiveStatus } from "../../session/wire";
import { TraceState } from "../trace";
import { report } from "../viewer";
import { clamp } from "../window";
import { Adopting } from "./adopting";
import { Delay } from "./delay";
import { nothingYet } from "./empty";
import { Following } from "./following";
import { Watching } from "./watching";

/** What is shown while the view does not follow. */
type Held = "memory" | { before: number };

/** How often another snapshot is tried in place of one that is gone. */
const MOST_TRIES = 5;

/** Events shown after one that is looked up on disk, so that it is not at the very end. */
const BEHIND = 100;

export class LiveTrace {
  readonly trace: TraceState;
  /** Status of the snapshot shown. */
  readonly shown: Signal<LiveStatus | null> = signal(null);
  /** Whether older events are being fetched. */
  readonly isFetching: Signal<boolean> = signal(false);
  /** Whether events from disk are shown, and there are newer ones to show. */
  readonly hasNewer: ReadonlySignal<boolean>;
  /** Number of events recorded after those shown. */
  readonly behind: ReadonlySignal<number>;
  private readonly door: EditionDoor;
  private readonly watching: Watching;
  private readonly adopting: Adopting;
  private readonly following: Following;
  private readonly delay = new Delay();
  /** Snapshots shown before, and the current one last. */
  private readonly path: Signal<readonly Held[]> = signal([]);
  private held: number | null = null;
  private holding: Promise<void> | null = null;
  private readonly stops: (() => void)[];

  constructor(
    id: number,
    name: string,
    private readonly isSeen: () => boolean,
    private readonly recording: Recording = recordingOf(id),
  ) {
    this.door = new EditionDoor(id, () => this.renew());
    this.trace = new TraceState(id, nothingYet(name), this.door);
    this.trace.live = this;
    this.trace.isFollowing.value = true;
    this.adopting = new Adopting(this.trace, this.door);
    this.following = new Following(this.trace);
    this.watching = new Watching(
      recording,
      () => ({ hold: this.held, isSeen: this.isSeen() }),
      (status) => this.take(status),
    );
    this.hasNewer = computed(() => this.path.value.some((one) => one !== "memory"));
    this.behind = computed(() => {
      const [all, shown] = [this.watching.status.value, this.shown.value];
      return all === null || shown === null
        ? 0
        : Math.max(all.total_events - shown.base.event - shown.events, 0);
    });
    this.stops = [
      onOther(this.trace.selected, () => this.pause()),
      onOther(this.trace.range, () => this.pause()),
    ];
  }

  /** Status of the recording; `null` until known. */
  get status(): ReadonlySignal<LiveStatus | null> {
    return this.watching.status;
  }

  /** Why the server does not answer; `null` while it does. */
  get away(): ReadonlySignal<string | null> {
    return this.watching.away;
  }

  start(): void {
    this.watching.start();
    this.following.start();
  }

  stop(): void {
    this.watching.stop();
    this.adopting.stop();
    this.following.stop();
    for (const stop of this.stops) stop();
  }

  /** The page was shown or hidden. */
  look(): void {
    this.watching.turn();
  }

  /** Pauses the view on everything in memory. Recording continues. */
  pause(): void {
    if (!this.trace.isFollowing.peek() || this.shown.peek() === null) return;
    this.trace.isFollowing.value = false;
    this.following.stop();
    void this.hold([], "memory");
  }

  /** Makes the view follow the recording. */
  follow(): void {
    if (this.trace.isFollowing.peek()) return;
    batch(() => {
      this.trace.isFollowing.value = true;
      this.path.value = [];
    });
    this.held = null;
    this.following.start();
    this.watching.turn(true);
  }

  /** Shows the events before those shown. */
  older(): Promise<void> {
    const shown = this.shown.peek();
    if (
      shown === null ||
      !shown.has_older ||
      this.isFetching.peek() ||
      this.trace.isFollowing.peek()
    ) {
      return Promise.resolve();
    }
    return this.hold(this.path.peek(), { before: shown.base.event });
  }

  /** Returns to what was shown before `older`. */
  newer(): Promise<void> {
    const path = this.path.peek();
    const back = path.at(-2);
    if (back === undefined || this.isFetching.peek()) return Promise.resolve();
    return this.hold(path.slice(0, -2), back);
  }

  /** Pauses, and waits until everything in memory is loaded. */
  async rest(): Promise<void> {
    this.pause();
    await this.holding;
  }

  /** Pauses, and loads the part that has an event, if it is still stored. */
  async reach(event: number): Promise<void> {
    await this.rest();
    const shown = this.shown.peek();
    if (shown === null || event >= shown.base.event || !shown.has_older) return;
    await this.hold(this.path.peek(), { before: event + BEHIND });
  }

  /** Scales the view's length while it follows. */
  stretch(factor: number): void {
    this.following.stretch(factor);
  }

  /** Interval to prefetch. */
  ahead(): { from: number; to: number } {
    return this.trace.isFollowing.peek() ? this.following.ahead() : this.trace.window.peek();
  }

  /**
   * Target window of a following view, for a `computed`: depends on the view's settings, not on
   * each new event.
   */
  destination(): { from: number; to: number } {
    return this.following.destination();
  }

  /** Events up to a position of an axis can be drawn. */
  answered(axis: Axis, end: number): void {
    this.following.answered(axis, end);
    this.delay.answered(axis, end);
  }

  /** They are drawn. */
  painted(): void {
    this.delay.painted();
  }

  private async take(status: LiveStatus): Promise<void> {
    if (status.edition === 0 || !this.trace.isFollowing.peek()) return;
    if (status.edition === this.shown.peek()?.edition) return;
    try {
      await this.show(status, true);
    } catch (error) {
      // A slow page is too late; a newer snapshot follows.
      if (!isGone(error)) throw error;
    }
  }

  private async show(status: LiveStatus, isFollowing: boolean): Promise<boolean> {
    this.delay.expect(status);
    const isShown = await this.adopting.adopt(status, isFollowing);
    if (isShown) {
      this.shown.value = status;
      if (isFollowing) this.following.grow();
    }
    return isShown;
  }

  /** Shows something that is kept until released; `path` is what was shown before. */
  private hold(way: readonly Held[], what: Held): Promise<void> {
    const holding = this.holdNow(way, what)
      .catch(report)
      .finally(() => {
        if (this.holding !== holding) return;
        this.holding = null;
        this.isFetching.value = false;
      });
    this.holding = holding;
    this.isFetching.value = true;
    return holding;
  }

  private async holdNow(way: readonly Held[], what: Held): Promise<void> {
    const { recording } = this;
    const status = await (what === "memory" ? recording.pause() : recording.older(what.before));
    if (this.trace.isFollowing.peek()) return;
    if (!(await this.show(status, false)) || this.trace.isFollowing.peek()) return;
    this.held = status.edition;
    this.path.value = [...way, what];
    const { trace } = this;
    trace.window.value = clamp(trace.window.peek(), trace.whole.peek(), trace.axis.peek());
    this.watching.turn();
  }

  /** Replaces a snapshot that is gone. */
  private async renew(): Promise<void> {
    if (this.holding !== null) {
      await this.holding;
      return;
    }
    const before = this.shown.peek()?.edition;
    const path = this.path.peek();
    const last = path.at(-1);
    if (!this.trace.isFollowing.peek() && last !== undefined) {
      await this.hold(path.slice(0, -1), last);
      if (this.shown.peek()?.edition !== before) return;
    }
    const none = new AbortController();
    for (let tried = 0; tried < MOST_TRIES && this.shown.peek()?.edition === before; tried += 1) {
      const status = await this.recording.watch({ after: 0, seen: 0, hold: null }, none.signal);
      if (status.edition === 0)
        throw new Refused("No events of the recording are stored any more.");
      try {
        if (await this.show(status, this.trace.isFollowing.peek())) return;
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Refused && error.status === GONE;
}

/** Calls when a value changes to another that is not `null`. */
function onOther<T>(values: Signal<T | null>, call: () => void): () => void {
  let before = values.peek();
  return values.subscribe((value) => {
    if (value !== null && value !== before) untracked(call);
    before = value;
  });
}
