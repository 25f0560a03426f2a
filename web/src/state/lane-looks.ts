/** Names, colours, heights and groups that the user gave lanes. The notes of a trace hold them. */

import type { Lane, LaneLook, Overview } from "../session/wire";

/** Heights of a lane in pixels. */
export const MIN_HEIGHT = 18;
export const MAX_HEIGHT = 400;
/** Distance within which a dragged height becomes the standard one. */
const SNAP = 6;
/** Steps of other heights. */
const STEP = 4;

/** What identifies a lane, also after the recording was opened again. */
export function laneKey({ contexts }: Overview, lane: Lane): string {
  const address = lane.kind === "thread" ? ` ${contexts[lane.context]?.address}` : "";
  return `${lane.kind} ${lane.name}${address}`;
}

/** The looks by the number of the lane. */
export function looksByLane(
  overview: Overview,
  looks: readonly LaneLook[],
): ReadonlyMap<number, LaneLook> {
  const found = new Map<number, LaneLook>();
  if (looks.length === 0) return found;
  const byKey = new Map(looks.map((look) => [look.lane, look]));
  overview.lanes.forEach((lane, number) => {
    const look = byKey.get(laneKey(overview, lane));
    if (look) found.set(number, look);
  });
  return found;
}

/** Changes of a look; `undefined` returns to the default. */
export type LookChanges = { [K in keyof Omit<LaneLook, "lane">]: LaneLook[K] | undefined };

/** Whether a lane has one colour, which the user may choose. */
export function hasColour(lane: Lane | undefined): boolean {
  return lane?.kind === "thread" || lane?.kind === "isr" || lane?.kind === "marker";
}

/** A dragged height: the standard one, which is `undefined`, or a whole number of steps. */
export function snappedHeight(height: number, standard: number): number | undefined {
  if (Math.abs(height - standard) <= SNAP) return undefined;
  const stepped = Math.round(height / STEP) * STEP;
  return Math.min(Math.max(stepped, MIN_HEIGHT), MAX_HEIGHT);
}

/** An own name beside the recorded one, so that texts with either can be found. */
export function titled(name: string, look: LaneLook | undefined): string {
  return look?.name === undefined ? name : `${look.name} (${name})`;
}
