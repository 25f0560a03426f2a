/** Vertical layout of the rows. */

import type { LaneLook, Overview } from "../session/wire";
import type { TimelineRow, TimelineRows } from "../state/lane-rows";
import { lowerBound } from "./transform";

/** Row of the CPU load, of one core or of all. */
export interface LoadRow {
  kind: "load";
  core: number | null;
  /** Whether the rows of the cores are shown below; `null` if there are none. */
  expanded: boolean | null;
}

/** Row of user-defined intervals. */
export interface IntervalsRow {
  kind: "intervals";
  /** Key of the intervals. */
  key: string;
  name: string;
  /** Index among all intervals, which gives the colour. */
  number: number;
}

/** Row of the result of a query. */
export interface ResultRow {
  kind: "result";
}

/** Rows above the lanes. */
export type TopRow = LoadRow | IntervalsRow | ResultRow;

/** Row of the timeline. */
export type ViewRow = TimelineRow | TopRow;

/** Height of a group heading. */
const HEADING_HEIGHT = 22;
/** Extra height of a row with bars above its events. */
const BARS_ABOVE = 16;
/** Height of a row with bars only, relative to other rows, and its minimum. */
const FLAT_PART = 2 / 3;
const MIN_FLAT_HEIGHT = 16;
/** Height of the load of all cores, relative to lanes. */
const LOAD_PART = 3 / 2;
/** Heights of lanes that fill the view, and the room below the last one. */
const MIN_FILLING_HEIGHT = 30;
const MAX_FILLING_HEIGHT = 72;
const ROOM_BELOW = 20;
/** Maximum fraction of the height for pinned rows. */
const PINNED_PART = 0.6;

/** A row and its position, in pixels from the top of all rows. */
export interface PlacedRow {
  row: ViewRow;
  /** Index in its stack. */
  index: number;
  pinned: boolean;
  y: number;
  height: number;
  /** Whether its bars are above its events rather than drawn under them. */
  split: boolean;
  /** Whether it is a lower row with bars only, as state machines have. */
  flat: boolean;
}

/** Whether a lane shows its bars above its events, because both matter at once. */
function isSplit(overview: Overview, row: ViewRow): boolean {
  if (row.kind !== "lane") return false;
  const lane = overview.lanes[row.lane];
  // With several cores, the bars are in a lane of each core.
  return lane?.kind === "summary" && lane.events > 0 && overview.cores.length < 2;
}

function isFlat(overview: Overview, row: ViewRow): boolean {
  return row.kind === "lane" && overview.lanes[row.lane]?.kind === "machine";
}

/** Height of a row with bars only, next to lanes of `laneHeight`: room for a line of text. */
function flatHeight(laneHeight: number): number {
  return Math.max(MIN_FLAT_HEIGHT, Math.round(laneHeight * FLAT_PART));
}

/** Rows below each other. */
class RowStack {
  /** Top of each row, and the bottom of the last. */
  readonly tops: Float64Array;

  constructor(
    readonly rows: readonly ViewRow[],
    heightOf: (row: ViewRow) => number,
  ) {
    this.tops = new Float64Array(rows.length + 1);
    rows.forEach((row, index) => {
      this.tops[index + 1] = (this.tops[index] ?? 0) + heightOf(row);
    });
  }

  get height(): number {
    return this.tops[this.rows.length] ?? 0;
  }

  top(index: number): number {
    return this.tops[index] ?? this.height;
  }

  /** Row at a distance from the top. */
  indexAt(y: number): number {
    return Math.max(0, lowerBound(this.tops, y + 1e-9) - 1);
  }
}

/** Height of a row, unless the user gave it another one. */
function heightOfRow(overview: Overview, row: ViewRow, laneHeight: number): number {
  if (row.kind === "group") return HEADING_HEIGHT;
  if (row.kind === "load") return Math.round(laneHeight * (row.core === null ? LOAD_PART : 1));
  if (row.kind === "result" || isFlat(overview, row)) return flatHeight(laneHeight);
  return laneHeight + (isSplit(overview, row) ? BARS_ABOVE : 0);
}

/** Height of lanes that fill the view, within limits; own heights of lanes do not change others. */
export function fillingLaneHeight(
  overview: Overview,
  rows: readonly ViewRow[],
  viewHeight: number,
): number {
  const fits = (laneHeight: number) => {
    const add = (sum: number, row: ViewRow) => sum + heightOfRow(overview, row, laneHeight);
    return rows.reduce(add, ROOM_BELOW) <= viewHeight;
  };
  let height = MIN_FILLING_HEIGHT;
  while (height < MAX_FILLING_HEIGHT && fits(height + 1)) height += 1;
  return height;
}

/** Positions of all rows, at any scroll position. */
export class RowLayout {
  readonly pinned: RowStack;
  readonly scrolled: RowStack;
  private readonly places = new Map<number, { pinned: boolean; index: number }>();

  constructor(
    private readonly overview: Overview,
    rows: TimelineRows,
    private readonly laneHeight: number,
    viewHeight: number,
    above: readonly TopRow[] = [],
    looks: ReadonlyMap<number, LaneLook> = new Map(),
  ) {
    const heightOf = (row: ViewRow) =>
      (row.kind === "lane" ? looks.get(row.lane)?.height : undefined) ??
      heightOfRow(overview, row, laneHeight);
    // Pinned rows that do not fit scroll with the others.
    let room = Math.max(viewHeight * PINNED_PART, laneHeight + BARS_ABOVE);
    let fitting = 0;
    const top = [...above, ...rows.pinned];
    for (const row of top) {
      room -= heightOf(row);
      if (room < 0) break;
      fitting += 1;
    }
    this.pinned = new RowStack(top.slice(0, fitting), heightOf);
    this.scrolled = new RowStack([...top.slice(fitting), ...rows.scrolled], heightOf);
    for (const stack of [this.scrolled, this.pinned]) {
      stack.rows.forEach((row, index) => {
        if (row.kind === "lane")
          this.places.set(row.lane, { pinned: stack === this.pinned, index });
      });
    }
  }

  /** Visible rows from top to bottom, with those up to `beyond` pixels outside. */
  visible(scrollTop: number, viewHeight: number, beyond = 0): PlacedRow[] {
    const placed = this.pinned.rows.map((_, index) => this.place(true, index, scrollTop));
    const room = viewHeight - this.pinned.height;
    if (this.scrolled.rows.length === 0 || room <= 0) return placed;
    const first = this.scrolled.indexAt(Math.max(0, scrollTop - beyond));
    const last = this.scrolled.indexAt(scrollTop + room + beyond);
    for (let index = first; index <= Math.min(last, this.scrolled.rows.length - 1); index += 1) {
      placed.push(this.place(false, index, scrollTop));
    }
    return placed;
  }

  /** Row at a distance from the top of the view. */
  rowAt(y: number, scrollTop: number): PlacedRow | null {
    const pinned = y < this.pinned.height;
    const stack = pinned ? this.pinned : this.scrolled;
    const at = pinned ? y : y - this.pinned.height + scrollTop;
    if (at < 0 || at >= stack.height) return null;
    return this.place(pinned, stack.indexAt(at), scrollTop);
  }

  /** Height of a row that the user gave none. */
  standardHeight(row: ViewRow): number {
    return heightOfRow(this.overview, row, this.laneHeight);
  }

  /** Row of a lane, visible or not. */
  ofLane(lane: number, scrollTop: number): PlacedRow | null {
    const at = this.places.get(lane);
    return at === undefined ? null : this.place(at.pinned, at.index, scrollTop);
  }

  private place(pinned: boolean, index: number, scrollTop: number): PlacedRow {
    const stack = pinned ? this.pinned : this.scrolled;
    const row = stack.rows[index];
    if (row === undefined) throw new RangeError(`there is no row ${index}`);
    const y = stack.top(index) + (pinned ? 0 : this.pinned.height - scrollTop);
    const height = stack.top(index + 1) - stack.top(index);
    const [split, flat] = [isSplit(this.overview, row), isFlat(this.overview, row)];
    return { row, index, pinned, y, height, split, flat };
  }
}
