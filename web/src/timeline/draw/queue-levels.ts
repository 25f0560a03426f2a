/** Draws the level of an active object's queue as steps in its lane. */

import type { Graph } from "../../session/wire";
import type { PlacedRow } from "../layout";
import type { Surface, TextStyle } from "../surface/surface";
import { type Frame, snap } from "./frame";
import { geometryOf } from "./geometry";

/** Minimum level of a full-height graph: a single event must not fill the lane. */
const MIN_FULL_LEVEL = 3;
const EDGE = 1;
const MARK_SIZE = 9;

/** The area below the graph is drawn under the bars, its edge above them. */
export function drawQueueLevels(
  surface: Surface,
  frame: Frame,
  rows: readonly PlacedRow[],
  layer: "area" | "edge",
): void {
  if (!frame.options.queueDepths) return;
  const { shapes, palette, overview, width } = frame;
  const style: TextStyle = { colour: palette.textMuted, size: MARK_SIZE, align: "right" };
  for (const placed of rows) {
    const lane = placed.row.kind === "lane" ? overview.lanes[placed.row.lane] : undefined;
    const depth = lane?.kind === "thread" ? frame.queueLevel(lane.context) : null;
    if (depth === null || depth.max < 1) continue;
    addSteps(frame, placed, depth.graph, depth.max, layer);
    if (layer === "edge" && width > 0) {
      const { barTop } = geometryOf(placed);
      surface.text(`≤ ${depth.max}`, width - 3, barTop + MARK_SIZE / 2, style);
    }
  }
  surface.fill(layer === "area" ? palette.depth : palette.depthEdge, shapes);
}

function addSteps(
  { scale, shapes, ratio, width }: Frame,
  placed: PlacedRow,
  { positions, max }: Graph,
  highest: number,
  layer: "area" | "edge",
): void {
  const { barTop, statusTop } = geometryOf(placed);
  const bottom = statusTop - 1;
  const full = bottom - barTop;
  const most = Math.max(highest, MIN_FULL_LEVEL);
  let lastTop = bottom;
  for (let index = 0; index < positions.length; index += 1) {
    const value = max[index] ?? null;
    const left = snap(scale.x(positions[index] ?? 0), ratio);
    const right =
      index + 1 < positions.length ? snap(scale.x(positions[index + 1] ?? 0), ratio) : width;
    if (right < 0 || left > width) continue;
    const top = value === null ? bottom : snap(bottom - (value / most) * full, ratio);
    const [x0, x1] = [Math.max(left, 0), Math.min(Math.max(right, left + 1 / ratio), width)];
    if (layer === "area") {
      if (top < bottom) shapes.rectangle(x0, top, x1 - x0, bottom - top);
    } else {
      // Vertical step to the new value, then along it; no line along an empty queue.
      if (top !== lastTop)
        shapes.rectangle(x0, Math.min(top, lastTop), EDGE, Math.abs(top - lastTop));
      if (top < bottom) shapes.rectangle(x0, top, x1 - x0, EDGE);
    }
    lastTop = top;
  }
}
