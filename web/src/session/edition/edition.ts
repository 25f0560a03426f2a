/** A part of a longer recording, and where it lies in it. */

import type { Axis, Base, Overview } from "../wire";
import type { Naming } from "./naming";

/** A part of a recording: questions to it count from its first event, the page from the recording's. */
export interface Edition {
  /** Its number, for the server. */
  number: number;
  base: Base;
  /** How many events it has. */
  events: number;
  naming: Naming;
}

/** Where an edition begins on an axis. */
export function originOf({ base }: Pick<Edition, "base">, axis: Axis): number {
  return axis === "time" ? base.time : base.event;
}

/** What a part is, with its gaps and diagnostics where they are in the recording. */
export function placed(overview: Overview): Overview {
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
