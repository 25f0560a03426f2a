/** Draws the CPU load: the shares of contexts, stacked over time. */

import type { ContextLoad } from "../../session/wire";
import { translucent } from "../colour";
import { type Frame, snap } from "../draw/frame";
import { RULER_HEIGHT } from "../draw/ruler";
import type { PlacedRow } from "../layout";
import type { Surface } from "../surface/surface";
import { keyOf, lengthOf, stacked } from "./stack";

/** Margins of the stack within its row. */
export const MARGIN = { top: 3, bottom: 1 } as const;

/** Width of the edge of a selected lane. */
const EDGE = 3;

/** Opacity of the bands beside the selected one. */
const BESIDE = 0.35;

/** Colour of a context's band. */
function bandColour({ kind, context }: ContextLoad, frame: Frame): string {
  // The contexts without a band of their own look like the load of the overview.
  if (kind === "other") return frame.palette.load;
  return context === null ? frame.palette.lane(kind) : frame.contextColour(context);
}

export function drawCpuLoads(surface: Surface, frame: Frame, rows: readonly PlacedRow[]): void {
  for (const placed of rows) {
    if (placed.row.kind === "load") drawCpuLoad(surface, frame, placed, placed.row.core);
  }
}

function drawCpuLoad(surface: Surface, frame: Frame, placed: PlacedRow, core: number | null): void {
  const { scale, ratio, width, palette, shapes, selectedLoad } = frame;
  const load = frame.cpuLoad(core);
  if (load === null) return;
  const bottom = placed.y + placed.height - MARGIN.bottom;
  const height = placed.height - MARGIN.top - MARGIN.bottom;
  shapes.rectangle(0, bottom - height, width, 1);
  surface.fill(palette.line, shapes);
  const { positions } = load;
  const parts = Math.max(positions.length - 1, 0);
  const edges = positions.map((at) => snap(scale.x(at), ratio));
  // The height of what is drawn already, in each part.
  const below = new Float64Array(parts);
  for (const of of stacked(load, selectedLoad)) {
    for (let part = 0; part < parts; part += 1) {
      const [left = 0, right = 0] = [edges[part], edges[part + 1]];
      const length = of.lengths[part] ?? 0;
      if (length === 0 || right < 0 || left > width) continue;
      const low = below[part] ?? 0;
      const high = low + length / lengthOf(load, part);
      below[part] = high;
      const [x0, x1] = [Math.max(left, -1), Math.min(right, width + 1)];
      const [y0, y1] = [bottom - high * height, bottom - low * height];
      shapes.rectangle(x0, y0, Math.max(x1 - x0, 1 / ratio), y1 - y0);
    }
    if (of.kind === "unknown") surface.hatch(palette.lane("unknown"), shapes);
    else {
      const isSelected = selectedLoad === null || keyOf(of) === selectedLoad;
      const colour = bandColour(of, frame);
      surface.fill(isSelected ? colour : translucent(colour, BESIDE), shapes);
    }
  }
}

/** Highlights the lane of the context that is selected in the load. */
export function drawSelectedLane(surface: Surface, frame: Frame, lane: number | null): void {
  const placed = lane === null ? null : frame.rowOf(lane);
  if (placed === null) return;
  const { shapes, palette, width, height, pinnedHeight } = frame;
  surface.within({ x: 0, y: RULER_HEIGHT, width, height }, () => {
    const top = placed.pinned ? placed.y : Math.max(placed.y, pinnedHeight);
    const bottom = placed.y + placed.height;
    if (bottom <= top) return;
    shapes.rectangle(0, top, width, bottom - top);
    surface.fill(palette.range, shapes);
    shapes.rectangle(0, top, EDGE, bottom - top);
    surface.fill(palette.rangeEdge, shapes);
  });
}
