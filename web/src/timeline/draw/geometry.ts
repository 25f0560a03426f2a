/** Geometry of a row. */

import type { PlacedRow } from "../layout";
import { ICON_HEIGHT } from "../surface/icons";

const ABOVE = 2;
/** Height of the status line and the line between rows. */
const BELOW = 4;
export const STATUS_HEIGHT = 3;
/** Vertical distance of bars from the icons' edges. */
const INSET = 3;
/** Height of bars above the events. */
const BARS_ABOVE = 14;
const BETWEEN = 2;
/** Margin above and below bars without icons. */
const FLAT_MARGIN = 1;

export interface RowGeometry {
  barTop: number;
  barHeight: number;
  iconTop: number;
  iconHeight: number;
  /** Upper edge of the ticks of events without icons. */
  tickTop: number;
  statusTop: number;
}

/** What the geometry of a row depends on. */
export type RowBox = Pick<PlacedRow, "y" | "height" | "split" | "flat">;

export function geometryOf(placed: RowBox): RowGeometry {
  if (placed.flat) {
    const [barTop, barHeight] = [placed.y + FLAT_MARGIN, placed.height - 2 * FLAT_MARGIN - 1];
    return {
      barTop,
      barHeight,
      iconTop: barTop,
      iconHeight: barHeight,
      tickTop: barTop,
      statusTop: barTop + barHeight,
    };
  }
  const top = placed.y + ABOVE + (placed.split ? BARS_ABOVE + BETWEEN : 0);
  const room = Math.max(placed.y + placed.height - BELOW - top, 4);
  const iconHeight = Math.min(room, ICON_HEIGHT);
  const iconTop = top + Math.floor((room - iconHeight) / 2);
  const statusTop = placed.y + placed.height - BELOW;
  if (placed.split) {
    const barTop = placed.y + ABOVE;
    return { barTop, barHeight: BARS_ABOVE, iconTop, iconHeight, tickTop: iconTop, statusTop };
  }
  const inset = Math.min(INSET, Math.floor(room / 6));
  const [barTop, barHeight] = [top + inset, room - 2 * inset];
  return { barTop, barHeight, iconTop, iconHeight, tickTop: top, statusTop };
}

/** Middle of a row's bars. */
export function middleOf(placed: RowBox): number {
  const { barTop, barHeight } = geometryOf(placed);
  return Math.floor(barTop + barHeight / 2) + 0.5;
}
