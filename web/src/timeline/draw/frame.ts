/** What a picture of lanes is drawn from. */

import type { LaneShown, LanesAnswer } from "../../session/lanes";
import type { Axis, Overview, Post } from "../../session/wire";
import type { StatusLines } from "../../state/settings";
import type { Depth } from "../data/depths";
import type { Placed } from "../layout";
import type { Palette } from "../palette";
import type { Batch, Shapes } from "../surface/shapes";
import type { Scale, Transform } from "../transform";
import type { StripPool } from "./strips";

/** What the user wants to see. */
export interface Options {
  statusLines: StatusLines;
  switchLines: boolean;
  wakeArrows: boolean;
  inversions: boolean;
  icons: boolean;
  postArrows: boolean;
  queueDepths: boolean;
}

/** What a lane shows and where its pixels are. */
export interface ShownNow {
  shown: LaneShown;
  transform: Transform;
}

export interface Frame {
  overview: Overview;
  axis: Axis;
  /** Ticks in a second if times are shown, `null` for ticks. */
  hz: number | null;
  scale: Scale;
  width: number;
  height: number;
  /** Device pixels per pixel. */
  ratio: number;
  palette: Palette;
  options: Options;
  /** By the code of a class of bars. */
  roles: Uint8Array;
  colours: readonly string[];
  /** The rows to be drawn. */
  pinned: readonly Placed[];
  scrolled: readonly Placed[];
  pinnedHeight: number;
  /** A lane's row, seen or not; `null` if it has none. */
  rowOf(lane: number): Placed | null;
  /** A context's row. */
  rowOfContext(context: number): Placed | null;
  shown(lane: number): ShownNow | null;
  /** The name of a state of an active object's machine, by its number. */
  stateName(context: number, state: number): string;
  /** How many events wait in an active object's queue. */
  depth(context: number): Depth | null;
  /** Events on their way to active objects. */
  posts: readonly Post[];
  across: { answer: LanesAnswer; transform: Transform } | null;
  strips: StripPool;
  /** Shapes to be used and left empty. */
  batch: Batch;
  shapes: Shapes;
}

/** To whole device pixels, so that edges are sharp. */
export function snapped(value: number, ratio: number): number {
  return Math.round(value * ratio) / ratio;
}
