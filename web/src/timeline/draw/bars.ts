/** Draws the bars of the lanes: running, ready, waiting, unknown. */

import { type ListedBars, NONE } from "../../session/lanes";
import type { LaneKind } from "../../session/wire";
import { Role } from "../classes";
import { readableOn } from "../colour";
import type { PlacedRow } from "../layout";
import { ICON_WIDTH } from "../surface/icons";
import type { Surface, TextStyle } from "../surface/surface";
import type { Transform } from "../transform";
import { addBar } from "./bar";
import { type Frame, snap } from "./frame";
import { geometryOf, type RowGeometry } from "./geometry";
import { iconMiddles } from "./icons";
import type { LabelBox } from "./label-box";
import { drawStrip } from "./strips";
import { truncate } from "./text";

/** A text inside a bar. */
interface BarLabel {
  text: string;
  x: number;
  y: number;
  /** Colour of the bar; `null` on the background. */
  colour: string | null;
}

/** A row, and where icons cover its bars. */
interface LabelledRow extends RowGeometry {
  icons: readonly number[];
}

interface Room {
  x0: number;
  x1: number;
}

const LABEL_SIZE = 11;
const LABEL_MARGIN = 4;
/** Minimum width of a bar with a text, in pixels. */
const MIN_LABEL_WIDTH = 18;
/** The same while a thread waits. */
const MIN_WAIT_WIDTH = 60;

/** Returns where texts are. */
export function drawBars(surface: Surface, frame: Frame, rows: readonly PlacedRow[]): LabelBox[] {
  const { batch, palette, shapes: unknown } = frame;
  const labels: BarLabel[] = [];
  for (const placed of rows) {
    if (placed.row.kind !== "lane") continue;
    const now = frame.laneContents(placed.row.lane);
    const lane = frame.overview.lanes[placed.row.lane];
    if (now === null || lane === undefined) continue;
    const { bars, events } = now.contents;
    if (!bars.listed) continue;
    const laneColour = frame.laneColour(placed.row.lane);
    // The icons of a split row are below its bars.
    const icons = placed.split || !events.listed ? [] : iconMiddles(events.x, now.transform, frame);
    const at = { ...geometryOf(placed), icons };
    addBars(surface, frame, bars, now.transform, at, lane, laneColour, labels);
  }
  surface.hatch(palette.lane("unknown"), unknown);
  batch.flush((colour, rectangles) => surface.fill(colour, rectangles));
  for (const { text, x, y, colour } of labels) {
    const letters = colour === null ? palette.textMuted : readableOn(colour);
    surface.text(text, x, y, { colour: letters, size: LABEL_SIZE });
  }
  for (const placed of rows) drawStrip(surface, frame, placed);
  return labels.map(({ text, x, y }) => {
    const style = { colour: palette.text, size: LABEL_SIZE };
    const right = x + surface.measure(text, style);
    return { left: x, right, top: y - LABEL_SIZE / 2, bottom: y + LABEL_SIZE / 2 };
  });
}

function addBars(
  surface: Surface,
  frame: Frame,
  bars: ListedBars,
  { stretch, offset }: Transform,
  at: LabelledRow,
  lane: LaneKind,
  laneColour: string | undefined,
  labels: BarLabel[],
): void {
  const { roles, ratio, width } = frame;
  const shapes = { palette: frame.palette, batch: frame.batch, unknown: frame.shapes };
  const { start, end, class: classes, subject } = bars;
  const stacked = lane.kind === "interrupt";
  const routine = lane.kind === "isr";
  const { statusLines } = frame.options;
  const least = 1 / ratio;
  let lastRight = -Infinity;
  let lastClass = -1;
  for (let bar = 0; bar < start.length; bar += 1) {
    const left = (start[bar] ?? 0) * stretch + offset;
    const right = (end[bar] ?? 0) * stretch + offset;
    if (right < -1) continue;
    if (left > width + 1) {
      if (stacked) continue;
      break;
    }
    const code = classes[bar] ?? 0;
    const x0 = snap(Math.max(left, -4), ratio);
    const x1 = Math.max(snap(Math.min(right, width + 4), ratio), x0 + Math.max(least, 1));
    // Skip a bar within the pixels of an equal one.
    if (code === lastClass && x1 <= lastRight) continue;
    lastRight = x1;
    lastClass = code;
    const role = roles[code] ?? Role.nothing;
    if (role === Role.nothing) continue;
    if (role === Role.waiting && x1 - x0 >= MIN_WAIT_WIDTH) {
      // Waiting has no bar here: the room is empty.
      const room = { x0: Math.max(x0, 0), x1: Math.min(x1, width) };
      const text = bars.labels.get(bar) ?? null;
      addLabel(surface, frame, { text, colour: null, ...room }, at, labels, true);
    }
    if (role === Role.ready && statusLines === "off") continue;
    if (role === Role.waiting && statusLines !== "all") continue;
    const colour =
      role === Role.running && laneColour !== undefined
        ? laneColour
        : colourOf(frame, role, code, subject[bar] ?? NONE, routine);
    // A gap separates adjacent bars of threads, and of states.
    const hasGap = (role === Role.thread && x1 - x0 >= 4) || (role === Role.state && x1 - x0 >= 3);
    const gap = hasGap ? 1 : 0;
    addBar(shapes, at, { role, colour, x: x0, width: x1 - x0 - gap, stacked });
    if (x1 - x0 < MIN_LABEL_WIDTH || role === Role.waiting || role === Role.ready) continue;
    const own = bars.labels.get(bar) ?? null;
    const text = own ?? labelOf(frame, lane, role, subject[bar] ?? NONE);
    const room = { x0: Math.max(x0, 0), x1: Math.min(x1 - gap, width) };
    addLabel(
      surface,
      frame,
      { text, colour, ...room },
      at,
      labels,
      own !== null || role === Role.state,
    );
  }
}

function colourOf(
  { colours, palette, contextColour }: Frame,
  role: number,
  code: number,
  subject: number,
  routine: boolean,
): string {
  if (role === Role.thread && subject !== NONE) {
    return contextColour(subject);
  }
  if (role === Role.running && routine) return palette.lane("isr");
  return colours[code] ?? "";
}

/** Name in a bar; `null` if bars of this kind have none. */
function labelOf(frame: Frame, lane: LaneKind, role: number, subject: number): string | null {
  const isCore = lane.kind === "summary" || lane.kind === "core";
  switch (role) {
    case Role.thread:
      return isCore ? (frame.overview.contexts[subject]?.name ?? "") : null;
    case Role.state:
      return lane.kind === "machine" ? frame.stateName(lane.context, subject) : null;
    case Role.idle:
      return isCore ? "idle" : null;
    case Role.initialize:
      return isCore ? "initialisation" : null;
    default:
      return null;
  }
}

/** The widest part of a bar that no icon covers; `icons` are their middles. */
export function widestGap({ x0, x1 }: Room, icons: readonly number[]): Room {
  let widest = { x0, x1: x0 };
  let left = x0;
  for (const middle of [...icons, Infinity]) {
    const right = Math.min(middle - ICON_WIDTH / 2, x1);
    if (right - left > widest.x1 - widest.x0) widest = { x0: left, x1: right };
    left = Math.max(left, middle + ICON_WIDTH / 2);
  }
  return widest;
}

function addLabel(
  surface: Surface,
  frame: Frame,
  { text, colour, ...bar }: { text: string | null; colour: string | null } & Room,
  at: LabelledRow,
  labels: BarLabel[],
  shortens: boolean,
): void {
  if (text === null) return;
  const { x0, x1 } = widestGap(bar, at.icons);
  const style: TextStyle = { colour: frame.palette.text, size: LABEL_SIZE };
  const room = x1 - x0 - 2 * LABEL_MARGIN;
  const fitting = shortens
    ? truncate(surface, text, style, room)
    : surface.measure(text, style) > room
      ? ""
      : text;
  if (fitting === "") return;
  labels.push({
    text: fitting,
    x: x0 + LABEL_MARGIN,
    y: at.barTop + at.barHeight / 2 + 0.5,
    colour,
  });
}
