/** Polls the status of a recording, and reconnects when the server was unreachable. */

import { type Signal, signal } from "@preact/signals";
import { Refused } from "../../session/door";
import type { Recording } from "../../session/live";
import type { LiveStatus } from "../../session/wire";

/** Pause before the next request after new data, */
const AFTER_NEWS = 10;
/** while a snapshot is held, */
const IN_PEACE = 300;
/** and while the page is hidden, in milliseconds. */
const UNSEEN = 4000;
/** First and longest pause while the server is unreachable. */
const FIRST_RETRY = 250;
const LAST_RETRY = 8000;

const NOT_FOUND = 404;

/** No snapshot has this number: it requests the status without a snapshot. */
const NONE = 0;

/** What the page shows. */
export interface Looking {
  /** Snapshot to keep; `null` for the newest one. */
  hold: number | null;
  /** Whether the page is visible. */
  isSeen: boolean;
}

export class Watching {
  /** Last known status of the recording. */
  readonly status: Signal<LiveStatus | null> = signal(null);
  /** Why the server does not answer; `null` while it does. */
  readonly away: Signal<string | null> = signal(null);
  private newest = 0;
  private seen = 0;
  private isStopped = false;
  private isEager = false;
  private retry = FIRST_RETRY;
  private asking: AbortController | null = null;
  private wake: (() => void) | null = null;

  /** `onStatus` gets every answer and is awaited. */
  constructor(
    private readonly recording: Recording,
    private readonly looking: () => Looking,
    private readonly take: (status: LiveStatus) => Promise<void>,
  ) {}

  start(): void {
    void this.run();
  }

  stop(): void {
    this.isStopped = true;
    this.asking?.abort();
    this.wake?.();
  }

  /**
   * Polls again at once, because something else is shown. `anew` requests the newest snapshot in
   * any case.
   */
  turn(anew = false): void {
    if (anew) this.newest = 0;
    this.isEager = true;
    this.asking?.abort();
    this.wake?.();
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const rest = await this.once();
      if (this.isStopped || rest === null) return;
      await this.sleep(rest);
    }
  }

  /** Polls once; returns the pause before the next request, `null` to give up. */
  private async once(): Promise<number | null> {
    const { hold, isSeen } = this.looking();
    const asking = new AbortController();
    this.asking = asking;
    this.isEager = false;
    try {
      const status = await this.recording.watch(
        { after: this.newest, seen: this.seen, hold: isSeen ? hold : (hold ?? NONE) },
        asking.signal,
      );
      this.status.value = status;
      this.away.value = null;
      this.seen = status.version;
      await this.take(status);
      this.newest = status.edition;
      this.retry = FIRST_RETRY;
      return !isSeen ? UNSEEN : hold === null ? AFTER_NEWS : IN_PEACE;
    } catch (error) {
      if (asking.signal.aborted) return 0;
      if (error instanceof Refused && error.status === NOT_FOUND) {
        this.away.value = "The server no longer has this recording.";
        return null;
      }
      this.away.value = "The server does not answer.";
      const rest = this.retry;
      this.retry = Math.min(rest * 2, LAST_RETRY);
      // A restarted server counts from 0.
      this.newest = 0;
      this.seen = 0;
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
