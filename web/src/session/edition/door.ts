/** Client of a live trace: sends each query to the current snapshot. */

import { type Answers, type Asking, type Door, door, Refused } from "../door";
import type { Command, Query } from "../wire";
import { answerOf } from "./answer";
import type { Edition } from "./edition";
import { nothingTo } from "./nothing";
import { commandTo, questionTo } from "./question";

/** HTTP status: the server no longer has the snapshot. */
export const GONE = 410;
/** In a fast recording, the next snapshot may be gone, too, before it is queried. */
const MOST_RENEWED = 3;

export class EditionDoor implements Door {
  private looked: Edition | null = null;
  /** Pending switch to another snapshot, shared by all queries whose snapshot is gone. */
  private renewing: Promise<void> | null = null;
  /** Called when the first snapshot arrives. */
  private readonly waiting = new Set<() => void>();

  /** `renew` replaces a snapshot that is gone. `connect` returns the client of a snapshot. */
  constructor(
    private readonly id: number,
    private readonly renew: () => Promise<void>,
    private readonly way: (id: number, edition: number) => Door = door,
  ) {}

  /** The current snapshot. */
  get edition(): Edition | null {
    return this.looked;
  }

  set edition(edition: Edition | null) {
    this.looked = edition;
    for (const go of this.waiting) go();
    this.waiting.clear();
  }

  async ask<A extends Query["ask"]>(query: Asking<A>, signal?: AbortSignal): Promise<Answers[A]> {
    return this.trying((edition) => this.askOf(edition, query, signal), signal);
  }

  async tell(command: Command): Promise<void> {
    return this.trying((edition) =>
      this.way(this.id, edition.number).tell(commandTo(edition, command)),
    );
  }

  private async trying<T>(act: (edition: Edition) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let renewed = 0; ; renewed += 1) {
      const edition = this.looked ?? (await this.first(signal));
      try {
        return await act(edition);
      } catch (error) {
        const isGone = error instanceof Refused && error.status === GONE;
        if (!isGone || renewed >= MOST_RENEWED) throw error;
        if (this.looked === edition) await this.renewOnce();
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
  private first(signal?: AbortSignal): Promise<Edition> {
    return new Promise((resolve, reject) => {
      const go = () => {
        if (this.looked !== null) resolve(this.looked);
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

  private async askOf<A extends Query["ask"]>(
    edition: Edition,
    query: Asking<A>,
    signal?: AbortSignal,
  ): Promise<Answers[A]> {
    const own = questionTo(edition, query);
    if (own === null) {
      const nothing = nothingTo(query);
      if (nothing !== undefined) return nothing as Answers[A];
      throw new Refused("Not recorded in this part of the trace.");
    }
    if (own.ask === "event" && own.event < 0) {
      throw new Refused("The event is older than the part shown.");
    }
    const answer = await this.way(this.id, edition.number).ask(own as Asking<A>, signal);
    return answerOf(edition, query, answer);
  }
}
