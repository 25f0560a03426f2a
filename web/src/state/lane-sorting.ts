/** By what lanes are sorted. */

import type { Context, Lane, Overview } from "../session/wire";

/** What threads are sorted by. */
export type Sorting = "creation" | "name" | "priority" | "executed" | "events";

/** The orders and their names for people. */
export const SORTINGS: readonly { by: Sorting; title: string }[] = [
  { by: "creation", title: "Creation" },
  { by: "name", title: "Name" },
  { by: "priority", title: "Priority, highest first" },
  { by: "executed", title: "Execution time, longest first" },
  { by: "events", title: "Events, most first" },
];

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The context of a thread's lane. */
export function contextOf(overview: Overview, lane: Lane | undefined): Context | undefined {
  return lane?.kind === "thread" ? overview.contexts[lane.context] : undefined;
}

/** All lanes: first those that are no thread's, as they are, then the threads. */
export function sortedLanes(overview: Overview, by: Sorting): number[] {
  const numbers = overview.lanes.map((_, lane) => lane);
  const isThread = (lane: number) => overview.lanes[lane]?.kind === "thread";
  const threads = numbers.filter(isThread);
  const keyed = threads.map((lane) => ({ lane, ...keys(overview, lane) }));
  keyed.sort((one, other) => COMPARE[by](one, other) || one.lane - other.lane);
  return [...numbers.filter((lane) => !isThread(lane)), ...keyed.map(({ lane }) => lane)];
}

type Keys = ReturnType<typeof keys>;

const COMPARE: Record<Sorting, (one: Keys, other: Keys) => number> = {
  creation: (one, other) => one.created - other.created,
  name: (one, other) => names.compare(one.name, other.name),
  priority: (one, other) => one.priority - other.priority,
  executed: (one, other) => other.executed - one.executed,
  events: (one, other) => other.events - one.events,
};

function keys(overview: Overview, number: number) {
  const lane = overview.lanes[number];
  const context = contextOf(overview, lane);
  return {
    // Objects are numbered as they were registered; what was not comes last.
    created: context?.object ?? Number.MAX_SAFE_INTEGER,
    name: lane?.name ?? "",
    priority: context?.priority ?? Number.MAX_SAFE_INTEGER,
    executed: lane?.executed ?? 0,
    events: lane?.events ?? 0,
  };
}
