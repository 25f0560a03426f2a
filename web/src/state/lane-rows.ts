/** From an arrangement of lanes to the rows on the screen. */

import type { Overview } from "../session/wire";
import { contextOf } from "./lane-sorting";

/** What threads are grouped by. */
export type Grouping = "none" | "priority" | "name";

/** The ways to group and their names for people. */
export const GROUPINGS: readonly { by: Grouping; title: string }[] = [
  { by: "none", title: "Not at all" },
  { by: "priority", title: "Priority" },
  { by: "name", title: "Beginning of the name" },
];

/** A lane's row. */
export interface LaneRow {
  kind: "lane";
  lane: number;
  /** 1, or 2 below another row. */
  level: 1 | 2;
  /** The group it belongs to. */
  group: string | null;
  /** Whether it is a routine below the interrupts. */
  routine: boolean;
  /** Whether the routines are shown below it; `null` if they belong elsewhere. */
  expanded: boolean | null;
}

/** A group's heading. */
export interface GroupRow {
  kind: "group";
  group: string;
  title: string;
  /** How many lanes it has. */
  count: number;
  expanded: boolean;
}

export type Row = LaneRow | GroupRow;

/** The rows from top to bottom. */
export interface Rows {
  pinned: readonly Row[];
  scrolled: readonly Row[];
}

/** How lanes are arranged. */
export interface Arrangement {
  order: readonly number[];
  hidden: ReadonlySet<number>;
  pinned: readonly number[];
  grouping: Grouping;
  filter: string;
  routinesShown: boolean;
  collapsed: ReadonlySet<string>;
}

/** The rows of an arrangement. */
export function arrange(overview: Overview, how: Arrangement): Rows {
  const kindOf = (lane: number) => overview.lanes[lane]?.kind;
  const words = how.filter.toLocaleLowerCase().split(/\s+/).filter((word) => word !== "");
  const matches = (lane: number) => {
    const name = overview.lanes[lane]?.name.toLocaleLowerCase() ?? "";
    return words.every((word) => name.includes(word));
  };
  const pinned = new Set(how.pinned);
  const visible = (lane: number) => !how.hidden.has(lane);
  const routines = how.order.filter((lane) => kindOf(lane) === "isr" && visible(lane)
    && !pinned.has(lane));
  const top = how.pinned.filter(visible);
  const rest = how.order.filter((lane) => visible(lane) && !pinned.has(lane)
    && kindOf(lane) !== "isr");

  const withRoutines = (lane: number, group: string | null): LaneRow[] => {
    // The rows of routines follow that of their core's interrupts.
    const own = kindOf(lane) === "interrupt"
      ? routines.filter((routine) => coreOf(overview, routine) === coreOf(overview, lane))
      : [];
    const row: LaneRow = {
      kind: "lane", lane, level: group === null ? 1 : 2, group, routine: false,
      expanded: own.length > 0 ? how.routinesShown : null,
    };
    if (!how.routinesShown) return [row];
    const below = own.filter((routine) => matches(routine) || matches(lane));
    return [row, ...below.map((routine): LaneRow => ({
      kind: "lane", lane: routine, level: 2, group, routine: true, expanded: null,
    }))];
  };

  const filtered = rest.filter(matches);
  const scrolled = how.grouping === "none"
    ? filtered.flatMap((lane) => withRoutines(lane, null))
    : [
        ...filtered.filter((lane) => kindOf(lane) !== "thread")
          .flatMap((lane) => withRoutines(lane, null)),
        ...groups(overview, how, filtered.filter((lane) => kindOf(lane) === "thread"))
          .flatMap(({ row, lanes }) =>
            [row, ...(row.expanded ? lanes.flatMap((lane) => withRoutines(lane, row.group)) : [])]),
      ];
  return { pinned: top.flatMap((lane) => withRoutines(lane, null)), scrolled };
}

function coreOf(overview: Overview, number: number): number | null {
  const lane = overview.lanes[number];
  return lane !== undefined && "core" in lane ? lane.core : null;
}

function groups(overview: Overview, how: Arrangement, threads: readonly number[]) {
  const titles = how.grouping === "priority"
    ? byPriority(overview, threads)
    : byName(overview, threads);
  return titles.map(({ title, lanes }) => {
    const group = `${how.grouping} ${title}`;
    const expanded = !how.collapsed.has(group);
    const row: GroupRow = { kind: "group", group, title, count: lanes.length, expanded };
    return { row, lanes };
  });
}

interface Group {
  title: string;
  lanes: number[];
}

function grouped<K>(lanes: readonly number[], keyOf: (lane: number) => K): Map<K, number[]> {
  const groups = new Map<K, number[]>();
  for (const lane of lanes) {
    const key = keyOf(lane);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [lane]);
    else group.push(lane);
  }
  return groups;
}

function byPriority(overview: Overview, threads: readonly number[]): Group[] {
  const priorityOf = (lane: number) => contextOf(overview, overview.lanes[lane])?.priority ?? null;
  return [...grouped(threads, priorityOf)]
    .sort(([one], [other]) => (one ?? Infinity) - (other ?? Infinity))
    .map(([priority, lanes]) => ({
      title: priority === null ? "Priority unknown" : `Priority ${priority}`, lanes,
    }));
}

/** The beginning of a name: up to its first digit or separator. */
export function beginning(name: string): string {
  return /^[^\d_.:/\-\s]+/.exec(name)?.[0] ?? name;
}

function byName(overview: Overview, threads: readonly number[]): Group[] {
  const keyOf = (lane: number) => beginning(overview.lanes[lane]?.name ?? "").toLocaleLowerCase();
  const groups = grouped(threads, keyOf);
  const shared = [...groups.values()].filter((lanes) => lanes.length > 1);
  const alone = [...groups.values()].filter((lanes) => lanes.length === 1).flat();
  const titled = shared.map((lanes) => ({
    title: beginning(overview.lanes[lanes[0] ?? 0]?.name ?? ""), lanes,
  }));
  return alone.length > 0 ? [...titled, { title: "Others", lanes: alone }] : titled;
}
