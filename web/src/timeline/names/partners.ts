/** Which lanes have to do with a lane in what is visible. */

import { NONE } from "../../session/lanes";
import type { TimelineView } from "../view";

/** The lane, and those that it woke, that woke it or that it shared an inversion with; `null` if
 * there are too many of these to tell. */
export function partnersOf(view: TimelineView, lane: number): Set<number> | null {
  const across = view.across();
  if (across === null || across.wakes === null || across.inversions === null) return null;
  const found = new Set([lane]);
  const pair = (one: number | undefined, other: number | undefined) => {
    const [first, second] = [one, other].map((context) =>
      context === undefined || context === NONE ? undefined : view.laneOf(context));
    if (first === lane && second !== undefined) found.add(second);
    if (second === lane && first !== undefined) found.add(first);
  };
  const { wakes, inversions } = across;
  wakes.by.forEach((by, index) => pair(by, wakes.thread[index]));
  inversions.blocked.forEach((blocked, index) => pair(blocked, inversions.owner[index]));
  return found;
}
