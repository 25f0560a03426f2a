/** A snapshot of a live trace and its position in the recording. */

import type { Axis, Overview, RecordingOffset } from "../wire";
import type { SnapshotIds } from "./stable-ids";

/**
 * Queries to a snapshot count from its first event; the page counts from the first event of the
 * recording.
 */
export interface Snapshot {
  /** Number of the snapshot on the server. */
  number: number;
  base: RecordingOffset;
  /** Number of events in it. */
  events: number;
  ids: SnapshotIds;
}

/** Start of a snapshot on an axis. */
export function originOf({ base }: Pick<Snapshot, "base">, axis: Axis): number {
  return axis === "time" ? base.time : base.event;
}

/** The overview with gaps and diagnostics at their positions in the recording. */
export function inRecording(overview: Overview): Overview {
  const { base, gaps, diagnostics } = overview;
  return {
    ...overview,
    gaps: gaps.map((gap) => ({
      ...gap,
      event: gap.event + base.event,
      time: gap.time + base.time,
    })),
    diagnostics: diagnostics.map((one) => ({
      ...one,
      event: one.event === null ? null : one.event + base.event,
    })),
  };
}
