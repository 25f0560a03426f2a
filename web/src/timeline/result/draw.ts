/** Draws the result of a query: intervals with their names, or instants. */

import type { ResultLane } from "../../state/result-lane";
import type { Frame } from "../draw/frame";
import { snap } from "../draw/frame";
import type { PlacedRow } from "../layout";
import type { Surface, TextStyle } from "../surface/surface";
import { itemsIn, placeOf } from "./items";

const MARGIN = 3;
/** Minimum width of an interval of its own, in pixels; others share columns of this width. */
const COLUMN = 2;
/** Height of a column with little in it, relative to the row. */
const MIN_SHARE = 0.25;
/** Part of a column that an instant covers. */
const INSTANT_SHARE = 0.25;
/** Room for a name, and the maximum number of names. */
const MIN_NAMED_WIDTH = 34;
const MAX_NAMES = 200;

interface NamedItem {
  item: number;
  x: number;
  width: number;
}

export function drawResult(surface: Surface, frame: Frame, rows: readonly PlacedRow[]): void {
  const { result: lane, palette, shapes } = frame;
  const placed = rows.find(({ row }) => row.kind === "result");
  if (placed === undefined || lane === null) return;
  const [top, height] = [placed.y + MARGIN, placed.height - 2 * MARGIN];
  const named = addItems(frame, lane, top, height);
  surface.fill(palette.rangeEdge, shapes);
  const style: TextStyle = { colour: palette.background, size: 11 };
  for (const { item, x, width } of named) {
    surface.clip({ x: x + 3, y: top, width: Math.max(width - 6, 0), height }, () => {
      surface.text(lane.labels[item] ?? "", x + 4, top + height / 2, style);
    });
  }
}

/** Adds the shapes of the visible items, and returns those with room for a name. */
function addItems(frame: Frame, lane: ResultLane, top: number, height: number): NamedItem[] {
  const { shapes, scale, axis, width, ratio } = frame;
  // How much of each column the narrow items cover.
  const covered = new Float64Array(Math.ceil(width / COLUMN) + 1);
  const named: NamedItem[] = [];
  const [first, end] = itemsIn(lane, axis, scale.at(0), scale.at(width));
  for (let item = first; item < end; item += 1) {
    const place = placeOf(lane, axis, item);
    if (place === null) continue;
    const [from, to] = [scale.x(place[0]), scale.x(place[1])];
    if (to < 0 || from > width) continue;
    if (to - from < COLUMN) {
      const column = Math.max(0, Math.floor(from / COLUMN));
      const share = to === from ? INSTANT_SHARE : (to - from) / COLUMN;
      covered[column] = (covered[column] ?? 0) + share;
      continue;
    }
    const left = snap(Math.max(from, -1), ratio);
    const right = snap(Math.min(to, width + 1), ratio);
    // A gap of a pixel keeps neighbours apart.
    shapes.rectangle(left, top, right - left - (right - left > 2 * COLUMN ? 1 : 0), height);
    const seen = Math.max(left, 0);
    const room = Math.min(right, width) - seen;
    if (room >= MIN_NAMED_WIDTH && named.length < MAX_NAMES) {
      named.push({ item, x: seen, width: room });
    }
  }
  covered.forEach((share, column) => {
    if (share === 0) return;
    const part = height * Math.min(Math.max(share, MIN_SHARE), 1);
    shapes.rectangle(column * COLUMN, top + height - part, COLUMN - 1 / ratio, part);
  });
  return named;
}
