/** Input of the lane drawing. */

import type { LaneContents, LanesAnswer } from "../../session/lanes";
import type { Axis, CpuLoad, IntervalBars, Overview, Post } from "../../session/wire";
import type { ResultLane } from "../../state/result-lane";
import type { StatusLines } from "../../state/settings";
import type { DensityScale } from "../../state/trace";
import type { QueueLevel } from "../data/queue-levels";
import type { PlacedRow } from "../layout";
import type { Palette } from "../palette";
import type { Batch, Shapes } from "../surface/shapes";
import type { Scale, Transform } from "../transform";
import type { StripPool } from "./strips";

/** Display options. */
export interface DisplayOptions {
  statusLines: StatusLines;
  switchLines: boolean;
  wakeArrows: boolean;
  inversions: boolean;
  icons: boolean;
  postArrows: boolean;
  queueDepths: boolean;
}

/** Contents of a lane and their mapping to the screen. */
export interface DrawnLane {
  contents: LaneContents;
  transform: Transform;
}

export interface Frame {
  overview: Overview;
  axis: Axis;
  /** Clock frequency if times are shown, `null` for ticks. */
  frequencyHz: number | null;
  scale: Scale;
  width: number;
  height: number;
  /** Device pixels per pixel. */
  ratio: number;
  palette: Palette;
  options: DisplayOptions;
  /** By code of a bar class. */
  roles: Uint8Array;
  colours: readonly string[];
  /** Rows to draw. */
  pinned: readonly PlacedRow[];
  scrolled: readonly PlacedRow[];
  pinnedHeight: number;
  /** Row of a lane, visible or not; `null` if it has none. */
  rowOf(lane: number): PlacedRow | null;
  /** Row of a context. */
  rowOfContext(context: number): PlacedRow | null;
  contextColour(context: number): string;
  /** The colour that the user gave a lane. */
  laneColour(lane: number): string | undefined;
  laneContents(lane: number): DrawnLane | null;
  /** Name of a state of an active object's state machine. */
  stateName(context: number, state: number): string;
  /** Level of an active object's queue. */
  queueLevel(context: number): QueueLevel | null;
  /** Bars of user-defined intervals. */
  intervals(key: string): IntervalBars | null;
  /** CPU load of a core, or of all. */
  cpuLoad(core: number | null): CpuLoad | null;
  /** Key of the context that is selected in the CPU load. */
  selectedLoad: string | null;
  /** Result of a query as a lane. */
  result: ResultLane | null;
  /** Posts to active objects. */
  posts: readonly Post[];
  /** Scale of the density strips of the visible lanes; `null` if there are none. */
  densityScale: DensityScale | null;
  across: { answer: LanesAnswer; transform: Transform } | null;
  strips: StripPool;
  /** Reusable buffers; every user leaves them empty. */
  batch: Batch;
  shapes: Shapes;
}

/** Rounds to whole device pixels, so that edges are sharp. */
export function snap(value: number, ratio: number): number {
  return Math.round(value * ratio) / ratio;
}
