/** Which lanes the timeline shows, and in which order. */

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Lane, LaneLook, Overview } from "../session/wire";
import { type LookChanges, laneKey, looksByLane, titled } from "./lane-looks";
import { arrange, GROUPINGS, type Grouping, type TimelineRows } from "./lane-rows";
import { type LaneSorting, sortedLanes } from "./lane-sorting";

/** Lanes pinned by default. */
export function defaultPinned(overview: Overview): number[] {
  return overview.lanes.flatMap((lane, number) => (lane.kind === "summary" ? [number] : []));
}

/** Inserts the lanes of `complete` that `order` lacks, each after its predecessor in `complete`. */
function insertMissing(order: readonly number[], complete: readonly number[]): number[] {
  const known = new Set(order);
  const after = new Map<number, number[]>();
  const first: number[] = [];
  let before: number | null = null;
  for (const lane of complete) {
    if (known.has(lane)) before = lane;
    else if (before === null) first.push(lane);
    else after.set(before, [...(after.get(before) ?? []), lane]);
  }
  return [...first, ...order.flatMap((lane) => [lane, ...(after.get(lane) ?? [])])];
}

/** Names; of threads with the same one, all after the first have a number. */
function numberedNames(all: readonly { kind: string; name: string }[]): string[] {
  const counts = new Map<string, number>();
  return all.map(({ kind, name }) => {
    if (kind !== "thread" && kind !== "active-object") return name;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return number > 1 ? `${name} #${number}` : name;
  });
}

/** Lane arrangement of a trace. Lanes are identified by their numbers in the overview. */
export class LaneList {
  /** All lanes, in display order. */
  readonly order: Signal<readonly number[]>;
  readonly hidden: Signal<ReadonlySet<number>> = signal(new Set());
  /** Lanes that stay above the scrolled ones. */
  readonly pinned: Signal<readonly number[]>;
  readonly grouping: Signal<Grouping> = signal("none");
  /** Last sort order; `null` if the user moved lanes since. */
  readonly sorting: Signal<LaneSorting | null> = signal(null);
  /** Words that the names of shown lanes contain. */
  readonly filter: Signal<string> = signal("");
  /** Whether each interrupt service routine has a row. */
  readonly routinesShown: Signal<boolean> = signal(false);
  /** Whether the states of each active object have a row. */
  readonly machinesShown: Signal<boolean> = signal(true);
  /** Lanes selected by their names. */
  readonly selected: Signal<ReadonlySet<number>> = signal(new Set());
  /** Contexts of the selected lanes of threads and of their states. */
  readonly selectedContexts: ReadonlySignal<readonly number[]>;
  /** Collapsed groups. */
  readonly collapsed: Signal<ReadonlySet<string>> = signal(new Set());
  /** What the user chose for lanes, also for lanes that the trace does not have. */
  readonly looks: Signal<readonly LaneLook[]> = signal([]);
  /** The same by lane, and by the context of a thread. */
  readonly ofLane: ReadonlySignal<ReadonlyMap<number, LaneLook>>;
  readonly ofContext: ReadonlySignal<ReadonlyMap<number, LaneLook>>;
  private readonly laneNames = computed(() => numberedNames(this.overview.value.lanes));
  private readonly contextNames = computed(() => numberedNames(this.overview.value.contexts));
  /** Groupings that apply. */
  readonly groupings = computed(() =>
    GROUPINGS.filter(({ by }) => by !== "own" || this.defaultGrouping() === "own"),
  );
  /** Rows from top to bottom. */
  readonly rows: ReadonlySignal<TimelineRows>;

  constructor(private readonly overview: ReadonlySignal<Overview>) {
    const current = overview.peek();
    this.order = signal(current.lane_order);
    this.pinned = signal(defaultPinned(current));
    this.ofLane = computed(() => looksByLane(overview.value, this.looks.value));
    this.ofContext = computed(() => {
      const { lanes } = overview.value;
      const looks = [...this.ofLane.value].flatMap(([number, look]) => {
        const lane = lanes[number];
        return lane?.kind === "thread" ? [[lane.context, look] as const] : [];
      });
      return new Map(looks);
    });
    this.selectedContexts = computed(() => {
      const contexts = [...this.selected.value].flatMap((number) => {
        const lane = overview.value.lanes[number];
        return lane?.kind === "thread" || lane?.kind === "machine" ? [lane.context] : [];
      });
      return [...new Set(contexts)].sort((one, other) => one - other);
    });
    this.rows = computed(() =>
      arrange(overview.value, {
        order: this.order.value,
        hidden: this.hidden.value,
        pinned: this.pinned.value,
        grouping: this.grouping.value,
        filter: this.filter.value,
        looks: this.ofLane.value,
        routinesShown: this.routinesShown.value,
        machinesShown: this.machinesShown.value,
        collapsed: this.collapsed.value,
      }),
    );
  }

  /** Lane by number. */
  lane(lane: number): Lane | undefined {
    return this.overview.value.lanes[lane];
  }

  /** Selects lanes. */
  select(lanes: Iterable<number>): void {
    this.selected.value = new Set(lanes);
  }

  /**
   * Selects a lane, or adds it or removes it, or selects all shown ones from the lane that was
   * selected last.
   */
  selectBy(lane: number, how: "only" | "toggle" | "through"): void {
    const selected = this.selected.peek();
    const last = [...selected].at(-1);
    if (how === "through" && last !== undefined) {
      const { pinned, scrolled } = this.rows.peek();
      const shown = [...pinned, ...scrolled].flatMap((row) =>
        row.kind === "lane" ? [row.lane] : [],
      );
      const [from, to] = [shown.indexOf(last), shown.indexOf(lane)].sort((a, b) => a - b);
      const between = shown.slice(from, (to ?? 0) + 1).filter((one) => one !== last);
      // The lane from which on is the last one again.
      this.select([...selected, ...between].filter((one) => one !== last).concat(last));
    } else if (how === "only") {
      this.select(selected.size === 1 && selected.has(lane) ? [] : [lane]);
    } else {
      const others = [...selected].filter((one) => one !== lane);
      this.select(selected.has(lane) ? others : [...others, lane]);
    }
  }

  /** What the user chose for a lane. */
  look(lane: number): LaneLook | undefined {
    return this.ofLane.value.get(lane);
  }

  /** Name of a lane, and of a context, with the user's own one. */
  title(lane: number): string {
    return titled(this.laneNames.value[lane] ?? "", this.look(lane));
  }

  contextTitle(context: number): string {
    return titled(this.contextNames.value[context] ?? "?", this.ofContext.value.get(context));
  }

  /** The user's groups if there are any. */
  defaultGrouping(): Grouping {
    return this.looks.value.some(({ group }) => group !== undefined) ? "own" : "none";
  }

  /** Sets the looks; new groups are shown. */
  setLooks(looks: readonly LaneLook[]): void {
    batch(() => {
      const before = this.defaultGrouping();
      this.looks.value = looks;
      const now = this.defaultGrouping();
      if (now !== before && ["none", "own"].includes(this.grouping.peek()))
        this.grouping.value = now;
    });
  }

  /** Changes a part of a lane's look and returns all of it. */
  change(number: number, changes: LookChanges): LaneLook | null {
    const lane = this.lane(number);
    if (lane === undefined) return null;
    const key = laneKey(this.overview.peek(), lane);
    const chosen = Object.entries({ ...this.look(number), ...changes, lane: key });
    const look = Object.fromEntries(
      chosen.filter(([, value]) => value !== undefined),
    ) as unknown as LaneLook;
    const others = this.looks.peek().filter((one) => one.lane !== key);
    this.setLooks(Object.keys(look).length > 1 ? [...others, look] : others);
    return look;
  }

  /**
   * Inserts new lanes of a live trace. `order` is the current order of all its lanes: a new lane
   * comes after its predecessor there, all others stay where the user put them.
   */
  extend(order: readonly number[]): void {
    const known = new Set(this.order.peek());
    const fresh = order.filter((lane) => !known.has(lane));
    if (fresh.length === 0) return;
    const sorting = this.sorting.peek();
    const pinned = new Set(defaultPinned(this.overview.peek()));
    batch(() => {
      this.order.value =
        sorting === null
          ? insertMissing(this.order.peek(), order)
          : sortedLanes(this.overview.peek(), sorting, [...known, ...fresh]);
      this.pinned.value = [...this.pinned.peek(), ...fresh.filter((lane) => pinned.has(lane))];
    });
  }

  /** Resets the arrangement, because the lane numbers changed. */
  reset(): void {
    const overview = this.overview.peek();
    batch(() => {
      this.order.value = overview.lane_order;
      this.pinned.value = defaultPinned(overview);
      this.hidden.value = new Set();
      this.selected.value = new Set();
      this.sorting.value = null;
    });
  }

  isPinned(lane: number): boolean {
    return this.pinned.value.includes(lane);
  }

  /** Sorts the threads; the lanes of cores and interrupts stay above them. */
  sort(by: LaneSorting): void {
    batch(() => {
      this.order.value = sortedLanes(this.overview.peek(), by, this.order.peek());
      this.sorting.value = by;
    });
  }

  /** Moves a lane before another one or, if that is `null`, to the end. */
  move(lane: number, before: number | null): void {
    if (lane === before) return;
    const among = this.isPinned(lane) ? this.pinned : this.order;
    const others = among.peek().filter((other) => other !== lane);
    const found = before === null ? others.length : others.indexOf(before);
    const at = found < 0 ? others.length : found;
    batch(() => {
      among.value = others.toSpliced(at, 0, lane);
      if (among === this.order) this.sorting.value = null;
    });
  }

  /** Moves a lane past its visible neighbour. Returns whether there is one. */
  moveBy(lane: number, direction: 1 | -1): boolean {
    const { pinned, scrolled } = this.rows.peek();
    const rows = this.isPinned(lane) ? pinned : scrolled;
    const own = rows.find((row) => row.kind === "lane" && row.lane === lane);
    if (own?.kind !== "lane" || own.attached) return false;
    const peers = rows.flatMap((row) =>
      row.kind === "lane" && !row.attached && row.group === own.group ? [row.lane] : [],
    );
    const at = peers.indexOf(lane) + direction;
    if (at < 0 || at >= peers.length) return false;
    const before = direction < 0 ? peers[at] : peers[at + 1];
    const last = peers[at];
    if (before !== undefined) this.move(lane, before);
    else if (last !== undefined) this.moveAfter(lane, last);
    return true;
  }

  toTop(lane: number): void {
    const among = this.isPinned(lane) ? this.pinned : this.order;
    this.move(lane, among.peek()[0] ?? null);
  }

  toBottom(lane: number): void {
    this.move(lane, null);
  }

  /** Pins or unpins a lane. */
  togglePinned(lane: number): void {
    this.pinned.value = this.isPinned(lane)
      ? this.pinned.peek().filter((other) => other !== lane)
      : [...this.pinned.peek(), lane];
  }

  hide(lane: number): void {
    this.hidden.value = new Set([...this.hidden.peek(), lane]);
  }

  /** Hides all lanes but these. */
  showOnly(lanes: ReadonlySet<number>): void {
    this.hidden.value = new Set(this.order.peek().filter((lane) => !lanes.has(lane)));
  }

  showAll(): void {
    batch(() => {
      this.hidden.value = new Set();
      this.filter.value = "";
    });
  }

  /** Shows or hides the rows attached to all lanes of that kind. */
  toggleAttached(lane: number): void {
    const shown = this.lane(lane)?.kind === "interrupt" ? this.routinesShown : this.machinesShown;
    shown.value = !shown.peek();
  }

  /** Expands or collapses a group. */
  toggleGroup(group: string): void {
    const collapsed = new Set(this.collapsed.peek());
    if (!collapsed.delete(group)) collapsed.add(group);
    this.collapsed.value = collapsed;
  }

  private moveAfter(lane: number, after: number): void {
    const among = this.isPinned(lane) ? this.pinned : this.order;
    const order = among.peek();
    this.move(lane, order[order.indexOf(after) + 1] ?? null);
  }
}
