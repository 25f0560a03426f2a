/** Keeps asking the server how a recording stands, and comes back when the server was away. */

import { type Signal, signal } from "@preact/signals";
import { Refused } from "../../session/door";
import type { Recording } from "../../session/live";
import type { LiveStatus } from "../../session/wire";

/** How long it takes until the server is asked again: at once after news, */
const AFTER_NEWS = 10;
/** while nobody needs the newest events, */
const IN_PEACE = 300;
/** and while nobody sees them, in milliseconds. */
const UNSEEN = 4000;
/** When the server does not answer, at first and in the end. */
const FIRST_RETRY = 250;
const LAST_RETRY = 8000;

const NOT_FOUND = 404;

/** No edition has this number: who holds it wants to know how the recording stands, and no editions. */
const NONE = 0;

/** What is looked at. */
export interface Looking {
  /** The edition that must not go; `null` if the newest one is wanted. */
  hold: number | null;
  /** Whether anybody sees it. */
  isSeen: boolean;
}

export class Watching {
  /** How the recording stands, as far as is known. */
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

  /** `take` gets every answer, and is waited for. */
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

  /** Asks anew, at once: something else is looked at now. With `anew`, for the newest edition in any case. */
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

  /** Asks once; gives how long to rest then, `null` if there is no sense in asking again. */
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
        this.away.value = "The server does not have this recording any more.";
        return null;
      }
      this.away.value = "The server does not answer.";
      const rest = this.retry;
      this.retry = Math.min(rest * 2, LAST_RETRY);
      // Another server may count from the beginning again.
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
