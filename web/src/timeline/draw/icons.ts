/** Draws events: icons where there is room, coloured stripes otherwise. */

import type { ListedEvents } from "../../session/lanes";
import type { EventKind } from "../../session/wire";
import type { PlacedRow } from "../layout";
import { ICON_WIDTH, lowerColour, MIN_READABLE_WIDTH } from "../surface/icons";
import type { Surface } from "../surface/surface";
import type { Transform } from "../transform";
import { type Frame, snap } from "./frame";
import { geometryOf, type RowGeometry } from "./geometry";

/** Height of events without room for letters and of events without icons: bars stay visible. */
const STRIPE_HEIGHT = 9;
const TICK_HEIGHT = 5;

export function drawIcons(surface: Surface, frame: Frame, rows: readonly PlacedRow[]): void {
  for (const placed of rows) {
    if (placed.row.kind === "group") continue;
    const now = frame.laneContents(placed.row.lane);
    if (now === null || !now.contents.events.listed) continue;
    const at = geometryOf(placed);
    const { icons } = frame.options;
    // Nothing is drawn under events whose bars are above them.
    const stripe = placed.split ? at.iconHeight : icons ? STRIPE_HEIGHT : TICK_HEIGHT;
    addIcons(
      surface,
      frame,
      now.contents.events,
      now.transform,
      at,
      Math.min(stripe, at.iconHeight),
    );
  }
  frame.batch.flush((colour, rectangles) => surface.fill(colour, rectangles));
}

function addIcons(
  surface: Surface,
  frame: Frame,
  events: ListedEvents,
  transform: Transform,
  at: RowGeometry,
  stripe: number,
): void {
  const { ratio, width, batch, overview } = frame;
  const { stretch, offset } = transform;
  const { x, kind: kinds } = events;
  const { icons } = frame.options;
  const upper = Math.ceil(stripe / 2);
  let lastRight = -Infinity;
  let before = Infinity;
  for (let index = 0; index < x.length; index += 1) {
    const middle = (x[index] ?? 0) * stretch + offset;
    const toRight =
      index + 1 < x.length ? ((x[index + 1] ?? 0) - (x[index] ?? 0)) * stretch : Infinity;
    const toLeft = before;
    before = toRight;
    if (middle < -ICON_WIDTH) continue;
    if (middle > width + ICON_WIDTH) break;
    const left = Math.max(snap(middle - Math.min(ICON_WIDTH, toLeft) / 2, ratio), lastRight);
    let right = snap(middle + Math.min(ICON_WIDTH, toRight) / 2, ratio);
    if (!icons) right = Math.min(right, left + 2);
    // Of several events in one pixel, the first is visible.
    if (right <= left) {
      if (lastRight > middle) continue;
      right = left + 1;
    }
    lastRight = right;
    const number = kinds[index] ?? 0;
    const kind: EventKind | undefined = overview.kinds[number];
    if (kind === undefined) continue;
    const wide = right - left;
    const gap = wide >= 4 ? 1 : 0;
    if (icons && wide - gap >= MIN_READABLE_WIDTH) {
      surface.icon(number, { x: left, y: at.iconTop, width: wide - gap, height: at.iconHeight });
      continue;
    }
    batch.of(kind.colour).rectangle(left, at.iconTop, wide - gap, upper);
    batch.of(lowerColour(kind)).rectangle(left, at.iconTop + upper, wide - gap, stripe - upper);
  }
}
