/** Computes the rows on screen from a lane arrangement. */

import type { LaneLook, Overview } from "../session/wire";
import { compareNames } from "./format";
import { titled } from "./lane-looks";
import { contextOf } from "./lane-sorting";

/** Grouping of threads. */
export type Grouping = "none" | "priority" | "name" | "own";

/** Groupings with their labels. */
export const GROUPINGS: readonly { by: Grouping; title: string }[] = [
  { by: "none", title: "None" },
  { by: "priority", title: "Priority" },
  { by: "name", title: "Name prefix" },
  { by: "own", title: "Own" },
];

/** Row of a lane. */
export interface LaneRow {
  kind: "lane";
  lane: number;
  /** 1, or 2 below another row. */
  level: 1 | 2;
  /** Group of the row. */
  group: string | null;
  /** Whether it belongs to the row above: an interrupt service routine or a state machine. */
  attached: boolean;
  /** Whether the rows attached to it are shown; `null` if there are none. */
  expanded: boolean | null;
}

/** Heading of a group. */
export interface GroupRow {
  kind: "group";
  group: string;
  title: string;
  /** Number of lanes in the group. */
  count: number;
  expanded: boolean;
}

export type TimelineRow = LaneRow | GroupRow;

/** Rows from top to bottom. */
export interface TimelineRows {
  pinned: readonly TimelineRow[];
  scrolled: readonly TimelineRow[];
}

/** Arrangement of the lanes. */
export interface LaneArrangement {
  order: readonly number[];
  hidden: ReadonlySet<number>;
  pinned: readonly number[];
  grouping: Grouping;
  filter: string;
  looks: ReadonlyMap<number, LaneLook>;
  routinesShown: boolean;
  machinesShown: boolean;
  collapsed: ReadonlySet<string>;
}

/** Rows of an arrangement. */
export function arrange(overview: Overview, arrangement: LaneArrangement): TimelineRows {
  const kindOf = (lane: number) => overview.lanes[lane]?.kind;
  const words = arrangement.filter
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const matches = (lane: number) => {
    const name = titled(overview.lanes[lane]?.name ?? "", arrangement.looks.get(lane));
    return words.every((word) => name.toLocaleLowerCase().includes(word));
  };
  const pinned = new Set(arrangement.pinned);
  const visible = (lane: number) => !arrangement.hidden.has(lane);
  const parents = parentsOf(overview);
  // A state machine whose parent is hidden gets a row of its own; a service routine does not.
  const isAttached = (lane: number) => {
    const parent = parents.get(lane);
    return kindOf(lane) === "isr" || (parent !== undefined && visible(parent));
  };
  const attached = new Map<number, number[]>();
  for (const lane of arrangement.order) {
    const parent = parents.get(lane);
    if (parent === undefined || !visible(lane) || pinned.has(lane)) continue;
    attached.set(parent, [...(attached.get(parent) ?? []), lane]);
  }
  const top = arrangement.pinned.filter(visible);
  const rest = arrangement.order.filter(
    (lane) => visible(lane) && !pinned.has(lane) && !isAttached(lane),
  );

  const withAttached = (lane: number, group: string | null): LaneRow[] => {
    const own = attached.get(lane) ?? [];
    const isShown =
      kindOf(lane) === "interrupt" ? arrangement.routinesShown : arrangement.machinesShown;
    const row: LaneRow = {
      kind: "lane",
      lane,
      level: group === null ? 1 : 2,
      group,
      attached: false,
      expanded: own.length > 0 ? isShown : null,
    };
    if (!isShown) return [row];
    const below = own.filter((other) => matches(other) || matches(lane));
    return [
      row,
      ...below.map(
        (other): LaneRow => ({
          kind: "lane",
          lane: other,
          level: 2,
          group,
          attached: true,
          expanded: null,
        }),
      ),
    ];
  };

  // A filter that matches a state machine also shows its active object.
  const filtered = rest.filter(
    (lane) =>
      matches(lane) || (kindOf(lane) === "thread" && (attached.get(lane) ?? []).some(matches)),
  );
  const scrolled =
    arrangement.grouping === "none"
      ? filtered.flatMap((lane) => withAttached(lane, null))
      : [
          ...filtered
            .filter((lane) => kindOf(lane) !== "thread")
            .flatMap((lane) => withAttached(lane, null)),
          ...groups(
            overview,
            arrangement,
            filtered.filter((lane) => kindOf(lane) === "thread"),
          ).flatMap(({ row, lanes }) => [
            row,
            ...(row.expanded ? lanes.flatMap((lane) => withAttached(lane, row.group)) : []),
          ]),
        ];
  return { pinned: top.flatMap((lane) => withAttached(lane, null)), scrolled };
}

/**
 * Parents of attached lanes: service routines and interrupts-off sections belong to the interrupts
 * of their core, state machines to their active objects.
 */
function parentsOf({ lanes }: Overview): Map<number, number> {
  const interrupts = new Map<number, number>();
  const threads = new Map<number, number>();
  lanes.forEach((lane, number) => {
    if (lane.kind === "interrupt") interrupts.set(lane.core, number);
    if (lane.kind === "thread") threads.set(lane.context, number);
  });
  const parents = new Map<number, number>();
  lanes.forEach((lane, number) => {
    const parent =
      lane.kind === "isr" || lane.kind === "interrupts-off"
        ? interrupts.get(lane.core)
        : lane.kind === "machine"
          ? threads.get(lane.context)
          : undefined;
    if (parent !== undefined) parents.set(number, parent);
  });
  return parents;
}

function groups(overview: Overview, arrangement: LaneArrangement, threads: readonly number[]) {
  const titles =
    arrangement.grouping === "priority"
      ? byPriority(overview, threads)
      : arrangement.grouping === "name"
        ? byName(overview, threads)
        : byLook(arrangement.looks, threads);
  return titles.map(({ title, lanes }) => {
    const group = `${arrangement.grouping} ${title}`;
    const expanded = !arrangement.collapsed.has(group);
    const row: GroupRow = { kind: "group", group, title, count: lanes.length, expanded };
    return { row, lanes };
  });
}

interface LaneGroup {
  title: string;
  lanes: number[];
}

function groupBy<K>(lanes: readonly number[], keyOf: (lane: number) => K): Map<K, number[]> {
  const groups = new Map<K, number[]>();
  for (const lane of lanes) {
    const key = keyOf(lane);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [lane]);
    else group.push(lane);
  }
  return groups;
}

function byPriority(overview: Overview, threads: readonly number[]): LaneGroup[] {
  const priorityOf = (lane: number) => contextOf(overview, overview.lanes[lane])?.priority ?? null;
  return [...groupBy(threads, priorityOf)]
    .sort(([one], [other]) => (one ?? Infinity) - (other ?? Infinity))
    .map(([priority, lanes]) => ({
      title: priority === null ? "Priority unknown" : `Priority ${priority}`,
      lanes,
    }));
}

/** Prefix of a name: up to its first digit or separator. */
export function namePrefix(name: string): string {
  return /^[^\d_.:/\-\s]+/.exec(name)?.[0] ?? name;
}

function byName(overview: Overview, threads: readonly number[]): LaneGroup[] {
  const keyOf = (lane: number) => namePrefix(overview.lanes[lane]?.name ?? "").toLocaleLowerCase();
  const groups = groupBy(threads, keyOf);
  const shared = [...groups.values()].filter((lanes) => lanes.length > 1);
  const alone = [...groups.values()].filter((lanes) => lanes.length === 1).flat();
  const titled = shared.map((lanes) => ({
    title: namePrefix(overview.lanes[lanes[0] ?? 0]?.name ?? ""),
    lanes,
  }));
  return alone.length > 0 ? [...titled, { title: "Others", lanes: alone }] : titled;
}

function byLook(looks: ReadonlyMap<number, LaneLook>, threads: readonly number[]): LaneGroup[] {
  const groups = groupBy(threads, (lane) => looks.get(lane)?.group ?? null);
  const others = groups.get(null) ?? [];
  groups.delete(null);
  const titled = [...groups].map(([title, lanes]) => ({ title: title ?? "", lanes }));
  titled.sort((one, other) => compareNames(one.title, other.title));
  return others.length > 0 ? [...titled, { title: "Others", lanes: others }] : titled;
}
