/** Items of the result of a query on the axis of the timeline. */

import type { Axis } from "../../session/wire";
import type { ResultLane } from "../../state/result-lane";
import { lowerBound, type Scale } from "../transform";

export const RESULT_TITLE = "Result of SQL";

/** Distance in pixels within which an item is hit. */
const HIT_DISTANCE = 5;

/** Start and end of an item; on the axis of events, only items with an event have a position. */
export function placeOf(lane: ResultLane, axis: Axis, item: number): [number, number] | null {
  if (axis === "time") return [lane.starts[item] ?? 0, lane.ends[item] ?? 0];
  const event = lane.events?.[item];
  return event === undefined ? null : [event + 0.5, event + 0.5];
}

/** Numbers of the items that can be in a part of the axis. */
export function itemsIn(lane: ResultLane, axis: Axis, from: number, to: number): [number, number] {
  // Events are not in the order of times in every result.
  if (axis === "index") return [0, lane.starts.length];
  return [lowerBound(lane.starts, from - lane.longest), lowerBound(lane.starts, to + 1)];
}

/** The item at a pixel: the shortest interval there, or else the nearest one. */
export function itemNear(lane: ResultLane, axis: Axis, scale: Scale, x: number): number | null {
  const [first, end] = itemsIn(lane, axis, scale.at(x - HIT_DISTANCE), scale.at(x + HIT_DISTANCE));
  let found: number | null = null;
  let best = [HIT_DISTANCE, Infinity];
  for (let item = first; item < end; item += 1) {
    const place = placeOf(lane, axis, item);
    if (place === null) continue;
    const [left, right] = [scale.x(place[0]), scale.x(place[1])];
    const distance = Math.max(left - x, x - right, 0);
    const rank = [distance, right - left];
    if (distance > HIT_DISTANCE || (found !== null && !isBefore(rank, best))) continue;
    [found, best] = [item, rank];
  }
  return found;
}

function isBefore(
  [distance = 0, length = 0]: number[],
  [other = 0, longer = 0]: number[],
): boolean {
  return distance < other || (distance === other && length < longer);
}
