/** Draws events at their exact places: icons where there is room, ticks otherwise. */

import type { ListedEvents } from "../../session/lanes";
import type { PlacedRow } from "../layout";
import { ICON_WIDTH, MIN_READABLE_WIDTH } from "../surface/icons";
import type { Surface } from "../surface/surface";
import type { Transform } from "../transform";
import { type Frame, snap } from "./frame";
import { geometryOf } from "./geometry";

/** Height of the tick of one event; each doubling of the events in a pixel adds to it. */
const TICK_HEIGHT = 5;
const DOUBLING_HEIGHT = 2;

/** How the events of a lane are drawn, in pixels. */
export interface EventMarks {
  /** An event with room for letters; `middle` is its exact place. */
  icon(index: number, middle: number, width: number): void;
  /** `count` events within the device pixel that starts at `x`. */
  tick(x: number, count: number): void;
}

/** Places the events of a lane between 0 and `width`. No event is moved or omitted. */
export function placeEvents(
  x: ArrayLike<number>,
  { stretch, offset }: Transform,
  { width, ratio, icons }: { width: number; ratio: number; icons: boolean },
  marks: EventMarks,
): void {
  let tickAt = -Infinity;
  let ticks = 0;
  const flush = () => {
    if (ticks > 0) marks.tick(tickAt, ticks);
    ticks = 0;
  };
  let toLeft = Infinity;
  for (let index = 0; index < x.length; index += 1) {
    const middle = (x[index] ?? 0) * stretch + offset;
    const toRight =
      index + 1 < x.length ? ((x[index + 1] ?? 0) - (x[index] ?? 0)) * stretch : Infinity;
    const room = Math.min(toLeft, toRight, ICON_WIDTH);
    toLeft = toRight;
    if (middle < -ICON_WIDTH) continue;
    if (middle > width + ICON_WIDTH) break;
    if (icons && room >= MIN_READABLE_WIDTH) {
      marks.icon(index, middle, room);
      continue;
    }
    const at = Math.floor(middle * ratio) / ratio;
    if (at !== tickAt) flush();
    tickAt = at;
    ticks += 1;
  }
  flush();
}

/**
 * Whether at least half of the visible events have room for letters. If fewer have, the few would
 * draw the eye, although they are not more important than the others.
 */
export function hasRoom(
  x: ArrayLike<number>,
  { stretch, offset }: Transform,
  width: number,
): boolean {
  let [visible, roomy] = [0, 0];
  let toLeft = Infinity;
  for (let index = 0; index < x.length; index += 1) {
    const at = (x[index] ?? 0) * stretch + offset;
    const toRight = ((x[index + 1] ?? Infinity) - (x[index] ?? 0)) * stretch;
    if (at >= 0 && at <= width) {
      visible += 1;
      if (Math.min(toLeft, toRight) >= MIN_READABLE_WIDTH) roomy += 1;
    }
    toLeft = toRight;
  }
  return 2 * roomy >= visible;
}

/** The middles of the visible icons of a lane. */
export function iconMiddles(
  x: ArrayLike<number>,
  transform: Transform,
  { width, ratio, options: { icons } }: Pick<Frame, "width" | "ratio" | "options">,
): number[] {
  const middles: number[] = [];
  if (!icons || !hasRoom(x, transform, width)) return middles;
  placeEvents(
    x,
    transform,
    { width, ratio, icons },
    {
      icon: (_, middle) => middles.push(middle),
      tick: () => {},
    },
  );
  return middles;
}

export function drawIcons(surface: Surface, frame: Frame, rows: readonly PlacedRow[]): void {
  for (const placed of rows) {
    if (placed.row.kind !== "lane") continue;
    const now = frame.laneContents(placed.row.lane);
    if (now === null || !now.contents.events.listed) continue;
    addEvents(surface, frame, placed, now.contents.events, now.transform);
  }
  frame.batch.flush((colour, rectangles) => surface.fill(colour, rectangles));
}

function addEvents(
  surface: Surface,
  frame: Frame,
  placed: PlacedRow,
  { x, kind }: ListedEvents,
  transform: Transform,
): void {
  const { ratio, width, batch, palette } = frame;
  const { iconTop, iconHeight, tickTop } = geometryOf(placed);
  const ticks = batch.of(palette.tick);
  const icons = frame.options.icons && hasRoom(x, transform, width);
  const sizes = { width, ratio, icons };
  placeEvents(x, transform, sizes, {
    icon: (index, middle, room) => {
      // A gap separates adjacent icons.
      const wide = room - 1;
      const box = {
        x: snap(middle - wide / 2, ratio),
        y: iconTop,
        width: wide,
        height: iconHeight,
      };
      surface.icon(kind[index] ?? 0, box);
    },
    tick: (at, count) => {
      const high = TICK_HEIGHT + Math.round(DOUBLING_HEIGHT * Math.log2(count));
      ticks.rectangle(at, tickTop, 1, Math.min(high, iconHeight));
    },
  });
}
