/** Sort orders of lanes. */

import type { Context, Lane, Overview } from "../session/wire";
import { compareNames } from "./format";

/** Sort key of threads. */
export type LaneSorting = "creation" | "name" | "priority" | "cpu-time" | "events";

/** Sort orders with their labels. */
export const SORTINGS: readonly { by: LaneSorting; title: string }[] = [
  { by: "creation", title: "Creation order" },
  { by: "name", title: "Name" },
  { by: "priority", title: "Priority (highest first)" },
  { by: "cpu-time", title: "CPU time (highest first)" },
  { by: "events", title: "Event count (highest first)" },
];

/** Context of a thread's lane. */
export function contextOf(overview: Overview, lane: Lane | undefined): Context | undefined {
  return lane?.kind === "thread" ? overview.contexts[lane.context] : undefined;
}

/** Sorts lanes: first those that are not threads, by number, then the threads. */
export function sortedLanes(
  overview: Overview,
  by: LaneSorting,
  lanes: readonly number[],
): number[] {
  const numbers = lanes.toSorted((one, other) => one - other);
  const isThread = (lane: number) => overview.lanes[lane]?.kind === "thread";
  const threads = numbers.filter(isThread);
  const keyed = threads.map((lane) => ({ lane, ...keys(overview, lane) }));
  keyed.sort((one, other) => COMPARE[by](one, other) || one.lane - other.lane);
  return [...numbers.filter((lane) => !isThread(lane)), ...keyed.map(({ lane }) => lane)];
}

type Keys = ReturnType<typeof keys>;

const COMPARE: Record<LaneSorting, (one: Keys, other: Keys) => number> = {
  creation: (one, other) => one.created - other.created,
  name: (one, other) => compareNames(one.name, other.name),
  priority: (one, other) => one.priority - other.priority,
  "cpu-time": (one, other) => other.busyTime - one.busyTime,
  events: (one, other) => other.events - one.events,
};

function keys(overview: Overview, number: number) {
  const lane = overview.lanes[number];
  const context = contextOf(overview, lane);
  return {
    // Objects are numbered in registration order; unregistered ones come last.
    created: context?.object ?? Number.MAX_SAFE_INTEGER,
    name: lane?.name ?? "",
    priority: context?.priority ?? Number.MAX_SAFE_INTEGER,
    busyTime: lane?.busy_time ?? 0,
    events: lane?.events ?? 0,
  };
}
