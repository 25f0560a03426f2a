/** Polls the status of a recording, and reconnects when the server was unreachable. */

import { type Signal, signal } from "@preact/signals";
import { ApiError } from "../../session/client";
import type { LiveClient } from "../../session/live-client";
import type { LiveStatus } from "../../session/wire";

/** Pause before the next request after new data, */
const PAUSE_AFTER_DATA = 10;
/** while a snapshot is held, */
const PAUSE_WHILE_HELD = 300;
/** and while the page is hidden, in milliseconds. */
const PAUSE_WHILE_HIDDEN = 4000;
/** First and longest pause while the server is unreachable. */
const FIRST_RETRY = 250;
const LAST_RETRY = 8000;

const NOT_FOUND = 404;

/** No snapshot has this number: it requests the status without a snapshot. */
const NO_SNAPSHOT = 0;

/** What the page shows. */
export interface PollTarget {
  /** Snapshot to keep; `null` for the newest one. */
  hold: number | null;
  /** Whether the page is visible. */
  isVisible: boolean;
}

export class StatusPoller {
  /** Last known status of the recording. */
  readonly status: Signal<LiveStatus | null> = signal(null);
  /** Why the server does not answer; `null` while it does. */
  readonly outage: Signal<string | null> = signal(null);
  private newest = 0;
  private version = 0;
  private isStopped = false;
  private isEager = false;
  private retry = FIRST_RETRY;
  private request: AbortController | null = null;
  private wake: (() => void) | null = null;

  /** `onStatus` gets every answer and is awaited. */
  constructor(
    private readonly client: LiveClient,
    private readonly target: () => PollTarget,
    private readonly onStatus: (status: LiveStatus) => Promise<void>,
  ) {}

  start(): void {
    void this.run();
  }

  stop(): void {
    this.isStopped = true;
    this.request?.abort();
    this.wake?.();
  }

  /**
   * Polls again at once, because something else is shown. `anew` requests the newest snapshot in
   * any case.
   */
  pollNow(anew = false): void {
    if (anew) this.newest = 0;
    this.isEager = true;
    this.request?.abort();
    this.wake?.();
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const rest = await this.poll();
      if (this.isStopped || rest === null) return;
      await this.sleep(rest);
    }
  }

  /** Polls once; returns the pause before the next request, `null` to give up. */
  private async poll(): Promise<number | null> {
    const { hold, isVisible } = this.target();
    const asking = new AbortController();
    this.request = asking;
    this.isEager = false;
    try {
      const status = await this.client.watch(
        {
          after: this.newest,
          version: this.version,
          hold: isVisible ? hold : (hold ?? NO_SNAPSHOT),
        },
        asking.signal,
      );
      this.status.value = status;
      this.outage.value = null;
      this.version = status.version;
      await this.onStatus(status);
      this.newest = status.snapshot;
      this.retry = FIRST_RETRY;
      return !isVisible ? PAUSE_WHILE_HIDDEN : hold === null ? PAUSE_AFTER_DATA : PAUSE_WHILE_HELD;
    } catch (error) {
      if (asking.signal.aborted) return 0;
      if (error instanceof ApiError && error.status === NOT_FOUND) {
        this.outage.value = "The server no longer has this recording.";
        return null;
      }
      this.outage.value = "The server does not answer.";
      const rest = this.retry;
      this.retry = Math.min(rest * 2, LAST_RETRY);
      // A restarted server counts from 0.
      this.newest = 0;
      this.version = 0;
      return rest;
    }
  }

  private sleep(time: number): Promise<void> {
    if (this.isEager) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake?.(), time);
      this.wake = () => {
        this.wake = null;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
