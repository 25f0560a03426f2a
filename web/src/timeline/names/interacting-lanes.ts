/** Lanes that interact with a lane in the visible interval. */

import { NONE } from "../../session/lanes";
import type { TimelineView } from "../view";

/**
 * The lane itself, and lanes related to it by wake-ups, posts or inversions; `null` if there are
 * too many of these to list.
 */
export function interactingLanes(view: TimelineView, lane: number): Set<number> | null {
  const across = view.across();
  if (across === null || across.wakes === null || across.inversions === null) return null;
  if (view.tooManyPosts() !== null) return null;
  const { lanes } = view.trace.overview;
  const subject = lanes[lane];
  // A state machine stands for its active object.
  const own = subject?.kind === "machine" ? view.laneOf(subject.context) : lane;
  const found = new Set([lane, ...(own === undefined ? [] : [own])]);
  const pair = (one: number | undefined, other: number | undefined) => {
    const [first, second] = [one, other].map((context) =>
      context === undefined || context === NONE ? undefined : view.laneOf(context),
    );
    if (first === own && second !== undefined) found.add(second);
    if (second === own && first !== undefined) found.add(first);
  };
  const { wakes, inversions } = across;
  for (const [index, by] of wakes.waker.entries()) pair(by, wakes.thread[index]);
  for (const [index, blocked] of inversions.blocked.entries())
    pair(blocked, inversions.owner[index]);
  for (const { sender_context: from, receiver: to } of view.visiblePosts())
    pair(from ?? undefined, to);
  lanes.forEach((other, number) => {
    const active = other.kind === "machine" ? view.laneOf(other.context) : undefined;
    if (active !== undefined && found.has(active)) found.add(number);
  });
  return found;
}
