/** Two recordings, one above the other. */

import {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from "@preact/signals";
import type { Axis, EventPosition } from "../../session/wire";
import { type Interval, limits } from "../interval";
import type { SelectedRange, TraceState } from "../trace";
import { activeId, showError, traces } from "../viewer";
import {
  type Anchors,
  type AxisLink,
  commonExtent,
  inverse,
  linked,
  linkedInterval,
  linkOf,
} from "./link";
import { mirror, type Side } from "./mirror";

/** What a side shows. */
interface Shown {
  axis: Axis;
  window: Interval;
}

/** A mapped position this near to a whole one is that one: the rest is rounding. */
const ROUNDING = 1e-3;

const other = (side: Side): Side => (side === 0 ? 1 : 0);

export class Comparison {
  /** The baseline, and the recording that is compared with it. */
  readonly sides: readonly [TraceState, TraceState];
  /** Whether the two move together. */
  readonly isLinked = signal(true);
  readonly anchors: Signal<Anchors>;
  /** Link on the current axis; `null` if nothing relates the two clocks. */
  readonly link: ReadonlySignal<AxisLink | null>;
  /** The link that applies. */
  private readonly applied: ReadonlySignal<AxisLink | null>;
  /** Selections that came from the other side, or were made on both. */
  private selections: [EventPosition | null, EventPosition | null] = [null, null];
  private readonly stops: (() => void)[];

  constructor(before: TraceState, after: TraceState) {
    this.sides = [before, after];
    this.anchors = signal(this.starts());
    this.link = computed(() =>
      linkOf(
        before.axis.value,
        [before.frequencyHz.value, after.frequencyHz.value],
        this.anchors.value,
      ),
    );
    this.applied = computed(() => (this.isLinked.value ? this.link.value : null));
    // A clock that does not measure time has no time view.
    if (after.axis.peek() === "index") before.axis.value = "index";
    const leader = () => this.active;
    this.stops = [
      effect(() => this.makeRoom()),
      mirror<Shown>({
        read: (side) => {
          const { axis, window } = this.sides[side];
          return { axis: axis.value, window: window.value };
        },
        same: (one, other) => one.axis === other.axis && one.window === other.window,
        write: (side, { axis, window }) => {
          const trace = this.sides[side];
          if (trace.axis.peek() !== axis) trace.range.value = null;
          trace.axis.value = axis;
          trace.window.value = window;
        },
        map: ({ axis, window }, from) => {
          const link = this.linkFrom(from, axis);
          if (link !== null) return { axis, window: linkedInterval(link, window) };
          // The axis is the same, even if nothing relates the positions.
          const trace = this.sides[other(from)];
          if (!this.isLinked.peek() || trace.axis.peek() === axis) return undefined;
          return { axis, window: limits(trace.extent.peek(), axis) };
        },
        leader,
        link: this.applied,
      }),
      mirror<number | null>({
        read: (side) => this.sides[side].cursor.value,
        write: (side, at) => {
          this.sides[side].cursor.value = at;
        },
        map: (at, from) => this.mapped(from, at),
        leader,
        link: this.applied,
      }),
      mirror<SelectedRange | null>({
        read: (side) => this.sides[side].range.value,
        write: (side, range) => {
          this.sides[side].range.value = range;
        },
        map: (range, from) => {
          if (range === null) return this.applied.peek() === null ? undefined : null;
          const link = this.linkFrom(from, range.axis);
          return link === null ? undefined : { axis: range.axis, ...linkedInterval(link, range) };
        },
        leader,
        link: this.applied,
      }),
      effect(() => this.followSelection()),
    ];
  }

  /** The side that the user works with. */
  get active(): Side {
    return this.sides[1].id === activeId.peek() ? 1 : 0;
  }

  stop(): void {
    for (const stop of this.stops) stop();
    for (const trace of this.sides) trace.room.value = null;
  }

  /** The first events of both. */
  private starts(): Anchors {
    const [before, after] = this.sides.map(({ extent }) => extent.peek().base);
    return [before ?? { event: 0, time: 0 }, after ?? { event: 0, time: 0 }];
  }

  /** Aligns the first events of both. */
  alignStarts(): void {
    this.align(this.starts());
  }

  /** Aligns two moments, and links the two. */
  align(anchors: Anchors): void {
    batch(() => {
      this.anchors.value = anchors;
      this.isLinked.value = true;
    });
  }

  /** Selects an event on each side. */
  select(places: readonly [EventPosition | null, EventPosition | null]): void {
    this.selections = [...places];
    batch(() => {
      for (const side of [0, 1] as const) this.sides[side].selected.value = places[side];
    });
  }

  /** The link from a side to the other on an axis, if the two are linked. */
  private linkFrom(side: Side, axis: Axis): AxisLink | null {
    if (!this.isLinked.peek()) return null;
    const [before, after] = this.sides;
    const clocks = [before.frequencyHz.peek(), after.frequencyHz.peek()] as const;
    const link = linkOf(axis, clocks, this.anchors.peek());
    return link === null || side === 0 ? link : inverse(link);
  }

  /** The position on the other side; `undefined` if the two are not linked. */
  private mapped(from: Side, at: number | null): number | null | undefined {
    const link = this.linkFrom(from, this.sides[from].axis.peek());
    if (link === null) return undefined;
    return at === null ? null : linked(link, at);
  }

  /** Lets each side show all that the other one covers. */
  private makeRoom(): void {
    const [before, after] = this.sides;
    const [link, axis] = [this.applied.value, before.axis.value];
    const extents = [before.extent.value, after.extent.value] as const;
    before.room.value = link && commonExtent(axis, link, extents);
    after.room.value = link && commonExtent(axis, inverse(link), [extents[1], extents[0]]);
  }

  /** Selects on the other side what is at the place of a new selection. */
  private followSelection(): (() => void) | undefined {
    const now = [this.sides[0].selected.value, this.sides[1].selected.value] as const;
    const side = ([0, 1] as const).find((one) => now[one] !== this.selections[one]);
    if (side === undefined) return undefined;
    this.selections = [...now];
    const selected = now[side];
    const stop = new AbortController();
    untracked(() => {
      const to = other(side);
      const trace = this.sides[to];
      const axis = this.sides[side].axis.peek();
      if (this.linkFrom(side, axis) === null) return;
      const put = (place: EventPosition | null) => {
        this.selections[to] = place;
        trace.selected.value = place;
      };
      const position = selected && (axis === "time" ? selected.time : selected.event);
      const mapped = this.mapped(side, position);
      const room = trace.fullInterval.peek();
      if (mapped == null || mapped < room.start - ROUNDING || mapped > room.end + ROUNDING) {
        put(null);
        return;
      }
      const whole = Math.round(mapped);
      const at = Math.abs(mapped - whole) < ROUNDING ? whole : mapped;
      trace.client.query({ query: "locate", axis, at }, stop.signal).then(put, showError);
    });
    return () => stop.abort();
  }
}

const current = signal<Comparison | null>(null);

/** The comparison, while both of its recordings are open. */
export const comparison = computed(() => {
  const now = current.value;
  return now?.sides.every((side) => traces.value.includes(side)) ? now : null;
});

/** The comparison, while one of its recordings is the active trace. */
export const shownComparison = computed(() => {
  const now = comparison.value;
  return now?.sides.some(({ id }) => id === activeId.value) ? now : null;
});

/** Recordings that can be compared: those that are complete. */
export const comparable = computed(() => traces.value.filter(({ live }) => live === null));

/** Shows two recordings one above the other. */
export function compare(before: TraceState, after: TraceState): void {
  if (before === after) return;
  untracked(() => {
    const known = current.peek();
    if (known?.sides[0] === before && known.sides[1] === after) return;
    known?.stop();
    const next = new Comparison(before, after);
    batch(() => {
      current.value = next;
      if (!next.sides.some(({ id }) => id === activeId.peek())) activeId.value = after.id;
    });
    const { start, end } = before.room.peek() ?? before.fullInterval.peek();
    before.show(start, end);
  });
}

/** Shows one recording at a time again. */
export function endComparison(): void {
  current.peek()?.stop();
  current.value = null;
}
