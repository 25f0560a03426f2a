/** Draws the critical path over the lanes. */

import type { CriticalPathReport, PathSegmentRow } from "../../session/reports";
import type { Axis, Lane } from "../../session/wire";
import { pathReport } from "../../state/critical-path";
import type { TraceState } from "../../state/trace";
import type { Surface } from "../surface/surface";
import type { Frame } from "./frame";
import { middleOf } from "./geometry";
import { addPathArrow, type PathPoint, pathX } from "./path-arrow";
import { RULER_HEIGHT } from "./ruler";

const PEN = 3;
const DASH = [4, 3] as const;

/** A part of the path, in pixels. */
export interface CriticalPathPart {
  /** A segment in which the context runs, or does not, or the way to the next context. */
  kind: "runs" | "waits" | "resumes";
  from: PathPoint;
  to: PathPoint;
}

/** What the layout needs of a frame. */
interface PathPlaces {
  axis: Axis;
  x(at: number): number;
  /** The middle of the lane of a segment; `null` if it has no row. */
  y(segment: PathSegmentRow): number | null;
}

/** A line for each segment, and an arrow where the path goes on in another lane. */
export function criticalPathParts(
  { segments, event: last, end }: CriticalPathReport,
  { axis, x, y }: PathPlaces,
): CriticalPathPart[] {
  const parts: CriticalPathPart[] = [];
  const at = (time: number, event: number) => x(axis === "time" ? time : event + 0.5);
  let before: PathPoint | null = null;
  segments.forEach((segment, number) => {
    const row = y(segment);
    if (row === null) return;
    const next = segments[number + 1];
    const start = [at(segment.start, segment.event), row] as const;
    if (before !== null && before[1] !== row)
      parts.push({ kind: "resumes", from: [start[0], before[1]], to: start });
    const stop = [at(next?.start ?? end, next?.event ?? last), row] as const;
    if (stop[0] > start[0])
      parts.push({ kind: segment.runs ? "runs" : "waits", from: start, to: stop });
    before = stop;
  });
  return parts;
}

/** Numbers of the lanes of a segment's context; a lane can be hidden in that of its group. */
export function lanesOfSegment(
  lanes: readonly Lane[],
  { thread, core, isr }: Pick<PathSegmentRow, "thread" | "core" | "isr">,
): number[] {
  const isOwn = (lane: Lane) =>
    thread !== null
      ? lane.kind === "thread" && lane.context === thread
      : lane.kind === "isr" && lane.core === core && lane.number === isr;
  const isGroup = (lane: Lane) => lane.kind === "interrupt" && lane.core === core;
  return [isOwn, isGroup].map((is) => lanes.findIndex(is)).filter((lane) => lane >= 0);
}

export function drawCriticalPath(surface: Surface, frame: Frame, trace: TraceState): void {
  const path = pathReport(trace).value;
  if (path === null) return;
  const { lanes } = trace.overview;
  const rows = new Map<string, number | null>();
  const y = (segment: PathSegmentRow) => {
    const key = `${segment.thread}/${segment.core}/${segment.isr}`;
    let row = rows.get(key);
    if (row === undefined) {
      const placed = lanesOfSegment(lanes, segment).map((lane) => frame.rowOf(lane));
      const shown = placed.find((one) => one !== null);
      row = shown ? middleOf(shown) : null;
      rows.set(key, row);
    }
    return row;
  };
  const x = (at: number) => pathX(frame, at);
  const parts = criticalPathParts(path, { axis: frame.axis, x, y });
  const colour = frame.palette.accent;
  const { shapes } = frame;
  surface.within({ x: 0, y: RULER_HEIGHT, width: frame.width, height: frame.height }, () => {
    for (const kind of ["runs", "waits"] as const) {
      for (const { from, to } of parts.filter((part) => part.kind === kind))
        shapes.line(...from, ...to);
      surface.stroke(colour, PEN, shapes, kind === "waits" ? DASH : undefined);
    }
    const heads = frame.batch.of(colour);
    for (const { from, to } of parts.filter(({ kind }) => kind === "resumes")) {
      const isInSight = to[0] >= 0 && to[0] <= frame.width;
      if (isInSight) addPathArrow(frame, heads, from, to);
    }
    surface.stroke(colour, PEN - 1, shapes);
    frame.batch.flush((of, triangles) => surface.triangles(of, triangles));
  });
}
