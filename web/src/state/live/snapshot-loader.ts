/** Loads the snapshots of a live trace into its state. */

import { batch } from "@preact/signals";
import { type SessionClient, sessionClient } from "../../session/client";
import type { SnapshotClient } from "../../session/snapshot-client";
import type { LiveStatus, Overview } from "../../session/wire";
import { resetPerTrace } from "../per-trace";
import type { TraceState } from "../trace";
import { showError } from "../viewer";
import { dropMarksBefore } from "./drop-marks";

/**
 * Minimum interval between updates of panels and tables while the view follows, in milliseconds.
 */
const PUBLISH_INTERVAL = 1000;

export class SnapshotLoader {
  private idsGeneration = 0;
  /** Number of known contexts, lanes and so on. It grows whenever something new appears. */
  private size = 0;
  private published = 0;
  /** Whether the clock had not advanced when the first events were shown. */
  private isSequentialForNow = false;
  private pending: Overview | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private generation = 0;

  constructor(
    private readonly trace: TraceState,
    private readonly client: SnapshotClient,
    private readonly connect: (id: number, snapshot: number) => SessionClient = sessionClient,
  ) {}

  /**
   * Loads a snapshot and shows it, unless another one is loaded meanwhile. Returns whether it is
   * shown. While the view follows, marks before the snapshot are dropped, and panels are updated at
   * a limited rate.
   */
  async load({ snapshot: number }: LiveStatus, isFollowing: boolean): Promise<boolean> {
    this.generation += 1;
    const { generation } = this;
    const overview = await this.connect(this.trace.id, number).query({ query: "overview" });
    if (generation !== this.generation) return false;
    // The same list as before, so that everything derived from it stays valid.
    const { classes } = this.pending ?? this.trace.overview;
    if (classes.length === overview.classes.length) overview.classes = classes;
    const isAnew = this.size > 0 && overview.ids_generation !== this.idsGeneration;
    this.idsGeneration = overview.ids_generation;
    const size = sizeOf(overview);
    const isOther = isAnew || size !== this.size;
    this.size = size;
    const { base, events, span } = overview;
    batch(() => {
      this.client.snapshot = number;
      this.trace.extent.value = { base, events, span };
      this.pending = overview;
      if (isFollowing) dropMarksBefore(this.trace, base);
      if (isOther || !isFollowing) this.publish();
      else this.publishSoon();
      if (isAnew) {
        this.trace.lanes.reset();
        this.trace.stepMode.value = { mode: "event" };
        resetPerTrace(this.trace);
        this.trace.idsVersion.value += 1;
      }
      this.trace.lanes.extend(overview.lane_order);
      if (isOther) this.trace.structureVersion.value += 1;
    });
    if (!isFollowing || this.published === 1) this.loadNotes().catch(showError);
    return true;
  }

  stop(): void {
    this.generation += 1;
    clearTimeout(this.timer);
  }

  private publishSoon(): void {
    this.timer ??= setTimeout(() => batch(() => this.publish()), PUBLISH_INTERVAL);
  }

  private publish(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending === null) return;
    const overview = this.pending;
    this.pending = null;
    this.published += 1;
    this.chooseAxis(overview);
    this.trace.setOverview(overview);
    this.trace.frequencyHz.value = overview.clock.frequency_hz;
    this.trace.clockSource.value = overview.clock.source;
    this.trace.dataVersion.value += 1;
  }

  /** Shows events in sequence as long as times have no meaning, as within the first tick. */
  private chooseAxis({ clock: { quality } }: Overview): void {
    const { axis, isFollowing } = this.trace;
    if (this.published === 1 && quality === "static") {
      axis.value = "index";
      this.isSequentialForNow = true;
    } else if (this.isSequentialForNow && quality !== "static") {
      this.isSequentialForNow = false;
      if (isFollowing.peek()) axis.value = "time";
    }
  }

  private async loadNotes(): Promise<void> {
    const { snapshot } = this.client;
    if (snapshot === null) return;
    const [bookmarks, looks] = await Promise.all([
      this.client.query<"bookmarks">({ query: "bookmarks" }),
      this.client.query<"lane-looks">({ query: "lane-looks" }),
    ]);
    this.trace.lanes.setLooks(looks);
    if (this.client.snapshot === snapshot) this.trace.bookmarks.value = bookmarks;
  }
}

function sizeOf({ contexts, objects, kinds, lanes, levels, machines }: Overview): number {
  const states = machines.map((machine) => machine.states);
  const lists = [contexts, objects, kinds, lanes, levels, ...states];
  return lists.reduce((sum, { length }) => sum + length, 0);
}
