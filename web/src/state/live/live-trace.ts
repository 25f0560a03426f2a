/** A trace that is still being recorded, and the view that follows it. */

import {
  batch,
  computed,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from "@preact/signals";
import { ApiError } from "../../session/client";
import {
  type LiveClient,
  liveClient as recordingOf,
  type TargetCommands,
} from "../../session/live-client";
import { GONE, SnapshotClient } from "../../session/snapshot-client";
import type { Axis, LiveStatus } from "../../session/wire";
import { messageOf } from "../format";
import { clamp, type Interval } from "../interval";
import { TraceState } from "../trace";
import { showError } from "../viewer";
import { emptyOverview } from "./empty-overview";
import { Follower } from "./follower";
import { LatencyMeter } from "./latency-meter";
import { SnapshotLoader } from "./snapshot-loader";
import { StatusPoller } from "./status-poller";

/** What is shown while the view does not follow. */
type HeldPart = "memory" | { before: number };

/** How often another snapshot is tried in place of one that is gone. */
const MAX_ATTEMPTS = 5;

/** Events shown after one that is looked up on disk, so that it is not at the very end. */
const EVENTS_AFTER = 100;

export class LiveTrace {
  readonly trace: TraceState;
  /** Status of the snapshot shown. */
  readonly shown: Signal<LiveStatus | null> = signal(null);
  /** Whether older events are being fetched. */
  readonly isFetching: Signal<boolean> = signal(false);
  /** Whether events from disk are shown, and there are newer ones to show. */
  readonly hasNewer: ReadonlySignal<boolean>;
  /** Number of events recorded after those shown. */
  readonly lag: ReadonlySignal<number>;
  private readonly client: SnapshotClient;
  private readonly poller: StatusPoller;
  private readonly loader: SnapshotLoader;
  private readonly follower: Follower;
  private readonly latency = new LatencyMeter();
  /** Snapshots shown before, and the current one last. */
  private readonly history: Signal<readonly HeldPart[]> = signal([]);
  private heldSnapshot: number | null = null;
  private holding: Promise<void> | null = null;
  private readonly stops: (() => void)[];

  constructor(
    id: number,
    name: string,
    private readonly isVisible: () => boolean,
    private readonly liveClient: LiveClient = recordingOf(id),
  ) {
    this.client = new SnapshotClient(id, () => this.renew());
    this.trace = new TraceState(id, emptyOverview(name), this.client);
    this.trace.live = this;
    this.trace.isFollowing.value = true;
    this.loader = new SnapshotLoader(this.trace, this.client);
    this.follower = new Follower(this.trace);
    this.poller = new StatusPoller(
      liveClient,
      () => ({ hold: this.heldSnapshot, isVisible: this.isVisible() }),
      (status) => this.onStatus(status),
    );
    this.hasNewer = computed(() => this.history.value.some((one) => one !== "memory"));
    this.lag = computed(() => {
      const [all, shown] = [this.poller.status.value, this.shown.value];
      return all === null || shown === null
        ? 0
        : Math.max(all.total_events - shown.base.event - shown.events, 0);
    });
    this.stops = [
      onChange(this.trace.selected, () => this.pause()),
      onChange(this.trace.range, () => this.pause()),
    ];
  }

  /** Status of the recording; `null` until known. */
  get status(): ReadonlySignal<LiveStatus | null> {
    return this.poller.status;
  }

  /** Whether nothing follows. */
  readonly hasEnded: ReadonlySignal<boolean> = computed(() => {
    const state = this.status.value?.connection.state;
    return state === "ended" || state === "failed";
  });

  /** Why the server does not answer; `null` while it does. */
  get outage(): ReadonlySignal<string | null> {
    return this.poller.outage;
  }

  start(): void {
    this.poller.start();
    this.follower.start();
  }

  stop(): void {
    this.poller.stop();
    this.loader.stop();
    this.follower.stop();
    for (const stop of this.stops) stop();
  }

  /** The page was shown or hidden. */
  onVisibilityChange(): void {
    this.poller.pollNow();
  }

  /** Pauses the view on everything in memory. Recording continues. */
  pause(): void {
    if (!this.trace.isFollowing.peek() || this.shown.peek() === null) return;
    this.trace.isFollowing.value = false;
    this.follower.stop();
    void this.hold([], "memory");
  }

  /** Sends commands to the target; the result is why it did not take them, if so. */
  async commandTarget(commands: TargetCommands): Promise<string | null> {
    try {
      await this.liveClient.commandTarget(commands);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Makes the view follow the recording. */
  follow(): void {
    if (this.trace.isFollowing.peek()) return;
    batch(() => {
      this.trace.isFollowing.value = true;
      this.history.value = [];
    });
    this.heldSnapshot = null;
    this.follower.start();
    this.poller.pollNow(true);
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
    return this.hold(this.history.peek(), { before: shown.base.event });
  }

  /** Returns to what was shown before `older`. */
  newer(): Promise<void> {
    const path = this.history.peek();
    const back = path.at(-2);
    if (back === undefined || this.isFetching.peek()) return Promise.resolve();
    return this.hold(path.slice(0, -2), back);
  }

  /** Pauses, and waits until everything in memory is loaded. */
  async pauseAndWait(): Promise<void> {
    this.pause();
    await this.holding;
  }

  /** Pauses, and loads the part that has an event, if it is still stored. */
  async loadEvent(event: number): Promise<void> {
    await this.pauseAndWait();
    const shown = this.shown.peek();
    if (shown === null || event >= shown.base.event || !shown.has_older) return;
    await this.hold(this.history.peek(), { before: event + EVENTS_AFTER });
  }

  /** Scales the view's length while it follows. */
  stretch(factor: number): void {
    this.follower.stretch(factor);
  }

  /** Interval to prefetch. */
  target(): Interval {
    return this.trace.isFollowing.peek() ? this.follower.target() : this.trace.window.peek();
  }

  /**
   * Target window of a following view, for a `computed`: depends on the view's settings, not on
   * each new event.
   */
  watchTarget(): Interval {
    return this.follower.watchTarget();
  }

  /** Events up to a position of an axis can be drawn. */
  answered(axis: Axis, end: number): void {
    this.follower.answered(axis, end);
    this.latency.answered(axis, end);
  }

  /** They are drawn. */
  painted(): void {
    this.latency.painted();
  }

  private async onStatus(status: LiveStatus): Promise<void> {
    if (status.snapshot === 0 || !this.trace.isFollowing.peek()) return;
    if (status.snapshot !== this.shown.peek()?.snapshot) {
      try {
        await this.show(status, true);
      } catch (error) {
        // A slow page is too late; a newer snapshot follows.
        if (!isGone(error)) throw error;
      }
    }
    if (this.hasEnded.peek() && this.lag.peek() === 0) this.showAll();
  }

  /** Shows everything in memory, once the recording has ended. */
  private showAll(): void {
    if (!this.trace.isFollowing.peek() || this.shown.peek() === null) return;
    const { start, end } = this.trace.fullInterval.peek();
    this.trace.show(start, end);
  }

  private async show(status: LiveStatus, isFollowing: boolean): Promise<boolean> {
    this.latency.expect(status);
    const isShown = await this.loader.load(status, isFollowing);
    if (isShown) {
      this.shown.value = status;
      if (isFollowing) this.follower.onGrowth();
    }
    return isShown;
  }

  /** Shows something that is kept until released; `path` is what was shown before. */
  private hold(way: readonly HeldPart[], what: HeldPart): Promise<void> {
    const holding = this.loadHeld(way, what)
      .catch(showError)
      .finally(() => {
        if (this.holding !== holding) return;
        this.holding = null;
        this.isFetching.value = false;
      });
    this.holding = holding;
    this.isFetching.value = true;
    return holding;
  }

  private async loadHeld(way: readonly HeldPart[], what: HeldPart): Promise<void> {
    const { liveClient } = this;
    const status = await (what === "memory" ? liveClient.pause() : liveClient.older(what.before));
    if (this.trace.isFollowing.peek()) return;
    if (!(await this.show(status, false)) || this.trace.isFollowing.peek()) return;
    this.heldSnapshot = status.snapshot;
    this.history.value = [...way, what];
    const { trace } = this;
    trace.window.value = clamp(trace.window.peek(), trace.fullInterval.peek(), trace.axis.peek());
    this.poller.pollNow();
  }

  /** Replaces a snapshot that is gone. */
  private async renew(): Promise<void> {
    if (this.holding !== null) {
      await this.holding;
      return;
    }
    const before = this.shown.peek()?.snapshot;
    const path = this.history.peek();
    const last = path.at(-1);
    if (!this.trace.isFollowing.peek() && last !== undefined) {
      await this.hold(path.slice(0, -1), last);
      if (this.shown.peek()?.snapshot !== before) return;
    }
    const none = new AbortController();
    for (
      let tried = 0;
      tried < MAX_ATTEMPTS && this.shown.peek()?.snapshot === before;
      tried += 1
    ) {
      const status = await this.liveClient.watch({ after: 0, version: 0, hold: null }, none.signal);
      if (status.snapshot === 0)
        throw new ApiError("No events of the recording are stored any more.");
      try {
        if (await this.show(status, this.trace.isFollowing.peek())) return;
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === GONE;
}

/** Calls when a value changes to another that is not `null`. */
function onChange<T>(values: Signal<T | null>, call: () => void): () => void {
  let before = values.peek();
  return values.subscribe((value) => {
    if (value !== null && value !== before) untracked(call);
    before = value;
  });
}
