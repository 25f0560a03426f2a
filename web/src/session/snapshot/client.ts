/** Client of a live trace: sends each query to the current snapshot. */

import { type Answers, ApiError, type QueryOf, type SessionClient, sessionClient } from "../client";
import type { Command, Query } from "../wire";
import { emptyAnswer } from "./empty-answer";
import type { Snapshot } from "./snapshot";
import { translateAnswer } from "./translate-answer";
import { translateCommand, translateQuery } from "./translate-query";

/** HTTP status: the server no longer has the snapshot. */
export const GONE = 410;
/** In a fast recording, the next snapshot may be gone, too, before it is queried. */
const MAX_RENEWALS = 3;

export class SnapshotClient implements SessionClient {
  private current: Snapshot | null = null;
  /** Pending switch to another snapshot, shared by all queries whose snapshot is gone. */
  private renewing: Promise<void> | null = null;
  /** Called when the first snapshot arrives. */
  private readonly waiting = new Set<() => void>();

  /** `renew` replaces a snapshot that is gone. `connect` returns the client of a snapshot. */
  constructor(
    private readonly id: number,
    private readonly renew: () => Promise<void>,
    private readonly connect: (id: number, snapshot: number) => SessionClient = sessionClient,
  ) {}

  /** The current snapshot. */
  get snapshot(): Snapshot | null {
    return this.current;
  }

  set snapshot(snapshot: Snapshot | null) {
    this.current = snapshot;
    for (const go of this.waiting) go();
    this.waiting.clear();
  }

  async query<A extends Query["query"]>(
    query: QueryOf<A>,
    signal?: AbortSignal,
  ): Promise<Answers[A]> {
    return this.withRetry((snapshot) => this.querySnapshot(snapshot, query, signal), signal);
  }

  async command(command: Command): Promise<void> {
    return this.withRetry((snapshot) =>
      this.connect(this.id, snapshot.number).command(translateCommand(snapshot, command)),
    );
  }

  private async withRetry<T>(
    act: (snapshot: Snapshot) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    for (let renewed = 0; ; renewed += 1) {
      const snapshot = this.current ?? (await this.waitForFirst(signal));
      try {
        return await act(snapshot);
      } catch (error) {
        const isGone = error instanceof ApiError && error.status === GONE;
        if (!isGone || renewed >= MAX_RENEWALS) throw error;
        if (this.current === snapshot) await this.renewOnce();
      }
    }
  }

  private renewOnce(): Promise<void> {
    this.renewing ??= this.renew().finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  /** Waits for the first snapshot. */
  private waitForFirst(signal?: AbortSignal): Promise<Snapshot> {
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

  private async querySnapshot<A extends Query["query"]>(
    snapshot: Snapshot,
    query: QueryOf<A>,
    signal?: AbortSignal,
  ): Promise<Answers[A]> {
    const own = translateQuery(snapshot, query);
    if (own === null) {
      const nothing = emptyAnswer(query);
      if (nothing !== undefined) return nothing as Answers[A];
      throw new ApiError("Not recorded in this part of the trace.");
    }
    if ((own.query === "event" || own.query === "critical-path") && own.event < 0) {
      throw new ApiError("The event is older than the part shown.");
    }
    const answer = await this.connect(this.id, snapshot.number).query(own as QueryOf<A>, signal);
    return translateAnswer(snapshot, query, answer);
  }
}
