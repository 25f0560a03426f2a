/** Client of a live trace: sends each query to the current snapshot. */

import { type Answers, ApiError, type QueryOf, type SessionClient, sessionClient } from "./client";
import type { Command, Query } from "./wire";

/** HTTP status: the server no longer has the snapshot. */
export const GONE = 410;
/** In a fast recording, the next snapshot may be gone, too, before it is queried. */
const MAX_RENEWALS = 3;

export class SnapshotClient implements SessionClient {
  private current: number | null = null;
  /** Pending switch to another snapshot, shared by all queries whose snapshot is gone. */
  private renewing: Promise<void> | null = null;
  /** Called when the first snapshot arrives. */
  private readonly waiting = new Set<() => void>();

  /** `renew` replaces a snapshot that is gone. `connect` returns the client of a snapshot. */
  constructor(
    private readonly id: number,
    private readonly renew: () => Promise<void>,
    private readonly connect: (id: number, snapshot?: number) => SessionClient = sessionClient,
  ) {}

  /** Number of the current snapshot. */
  get snapshot(): number | null {
    return this.current;
  }

  set snapshot(snapshot: number | null) {
    this.current = snapshot;
    for (const go of this.waiting) go();
    this.waiting.clear();
  }

  async query<A extends Query["query"]>(
    query: QueryOf<A>,
    signal?: AbortSignal,
  ): Promise<Answers[A]> {
    for (let renewed = 0; ; renewed += 1) {
      const snapshot = this.current ?? (await this.waitForFirst(signal));
      try {
        return await this.connect(this.id, snapshot).query(query, signal);
      } catch (error) {
        const isGone = error instanceof ApiError && error.status === GONE;
        if (!isGone || renewed >= MAX_RENEWALS) throw error;
        if (this.current === snapshot) await this.renewOnce();
      }
    }
  }

  /** A command is for the whole recording, whatever is shown of it. */
  command(command: Command): Promise<void> {
    return this.connect(this.id).command(command);
  }

  private renewOnce(): Promise<void> {
    this.renewing ??= this.renew().finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  /** Waits for the first snapshot. */
  private waitForFirst(signal?: AbortSignal): Promise<number> {
    return new Promise((resolve, reject) => {
      const go = () => {
        if (this.current !== null) resolve(this.current);
      };
      this.waiting.add(go);
      signal?.addEventListener(
        "abort",
        () => {
          this.waiting.delete(go);
          reject(signal.reason as Error);
        },
        { once: true },
      );
    });
  }
}
