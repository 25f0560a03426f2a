/** Draws the way of an item through the lanes of its pipeline's stages. */

import type { Axis, ItemVisit } from "../../session/wire";
import type { Surface } from "../surface/surface";
import type { Frame } from "./frame";
import { middleOf } from "./geometry";
import { addPathArrow, type PathPoint, pathX } from "./path-arrow";
import { RULER_HEIGHT } from "./ruler";

/** A part of the way, in pixels. */
export interface PathPart {
  /** From the arrival at a stage to its end, or from one stage to the next. */
  kind: "stay" | "arrow";
  from: PathPoint;
  to: PathPoint;
}

/** What the layout needs of a frame. */
interface PathPlaces {
  axis: Axis;
  x(at: number): number;
  /** The middle of a lane; `null` if it has no row. */
  y(lane: number): number | null;
}

/** The way of an item: a line in each stage, and an arrow to the next one. */
export function itemPathParts(path: readonly ItemVisit[], { axis, x, y }: PathPlaces): PathPart[] {
  const parts: PathPart[] = [];
  const at = ({ event, time }: ItemVisit["arrived"]) => x(axis === "time" ? time : event + 0.5);
  let before: PathPoint | null = null;
  for (const { lane, arrived, received, left } of path) {
    const row = y(lane);
    if (row === null) continue;
    const start = [at(arrived), row] as const;
    if (before !== null) parts.push({ kind: "arrow", from: before, to: start });
    const end = [at(left ?? received ?? arrived), row] as const;
    if (end[0] > start[0]) parts.push({ kind: "stay", from: start, to: end });
    before = end;
  }
  return parts;
}

export function drawItemPath(surface: Surface, frame: Frame, path: readonly ItemVisit[]): void {
  if (path.length === 0) return;
  const parts = itemPathParts(path, {
    axis: frame.axis,
    x: (at) => pathX(frame, at),
    y: (lane) => {
      const placed = frame.rowOf(lane);
      return placed === null ? null : middleOf(placed);
    },
  });
  const colour = frame.palette.accent;
  surface.within({ x: 0, y: RULER_HEIGHT, width: frame.width, height: frame.height }, () => {
    const heads = frame.batch.of(colour);
    for (const { kind, from, to } of parts) {
      if (kind === "stay" || from[1] === to[1]) frame.shapes.line(...from, ...to);
      else addPathArrow(frame, heads, from, to);
    }
    surface.stroke(colour, 2, frame.shapes);
    frame.batch.flush((of, triangles) => surface.triangles(of, triangles));
  });
}
