/** The overlay with the pointer, the selection and marks, on a canvas above the lanes. */

import type { Post } from "../../session/wire";
import { countText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { readableOn } from "../colour";
import { betweenMarkers, positionText, rangeText } from "../position-text";
import type { Surface, TextStyle } from "../surface/surface";
import { FLAG_WIDTH, type TimelineView } from "../view";
import { type Frame, snap } from "./frame";
import { geometryOf } from "./geometry";
import { emphasise } from "./posts";
import { RULER_HEIGHT } from "./ruler";

const FLAG_HEIGHT = 16;
const FLAG_MARGIN = 4;
const PEN = 2;

/** Position of a flag: in the ruler, or in a line below it. */
type FlagLine = 0 | 1 | 2;

/** Draws the range, bookmarks, markers and the selected event. */
export function drawMarks(surface: Surface, frame: Frame, view: TimelineView): void {
  const { trace } = view;
  drawRange(surface, frame, trace, view);
  drawBookmarks(surface, frame, view);
  drawMarkers(surface, frame, trace);
  const selected = trace.selected.value;
  if (selected !== null) {
    drawArrows(
      surface,
      frame,
      view,
      frame.palette.selected,
      ({ event, step_event: take }) => event === selected.event || take === selected.event,
    );
    const x = line(surface, frame, trace.position(selected), frame.palette.selected, 1);
    if (x !== null)
      flag(surface, frame, x, `#${countText(selected.event)}`, frame.palette.selected, 0);
  }
}

/** Draws the pointer and the hovered item. */
export function drawPointer(surface: Surface, frame: Frame, view: TimelineView): void {
  drawHovered(surface, frame, view);
  const hovered = view.hovered.value?.post;
  if (hovered) {
    drawArrows(surface, frame, view, frame.palette.accent, ({ event }) => event === hovered.event);
  }
  const cursor = view.trace.cursor.value;
  if (cursor === null) return;
  const x = line(surface, frame, cursor, frame.palette.cursor, 1, [2, 2]);
  const text = positionText(cursor, frame.axis, frame.frequencyHz, 1 / frame.scale.perUnit);
  if (x !== null) flag(surface, frame, x, text, frame.palette.cursor, 0);
}

/** Emphasises some post arrows. */
function drawArrows(
  surface: Surface,
  frame: Frame,
  view: TimelineView,
  colour: string,
  which: (post: Post) => boolean,
): void {
  const arrows = view.arrows().filter(({ post }) => which(post));
  if (arrows.length === 0) return;
  surface.within({ x: 0, y: RULER_HEIGHT, width: frame.width, height: frame.height }, () => {
    for (const arrow of arrows) emphasise(surface, frame, arrow, colour);
  });
}

/** Draws a vertical line at a position; returns its x, `null` if it is not visible. */
function line(
  surface: Surface,
  frame: Frame,
  at: number,
  colour: string,
  width: number,
  dash?: readonly number[],
): number | null {
  const { ratio, shapes } = frame;
  const x = snap(frame.scale.x(at), ratio) + 0.5 / ratio;
  if (x < 0 || x > frame.width) return null;
  shapes.line(x, RULER_HEIGHT - 6, x, RULER_HEIGHT + frame.height);
  surface.stroke(colour, width, shapes, dash);
  shapes.clear();
  return x;
}

/** Draws a text on a coloured background around `x`, kept within the picture. */
function flag(
  surface: Surface,
  frame: Frame,
  x: number,
  text: string,
  colour: string,
  lineNumber: FlagLine,
): void {
  const style: TextStyle = { colour: readableOn(colour), size: 11 };
  const width = Math.ceil(surface.measure(text, style)) + 2 * FLAG_MARGIN;
  const left = Math.min(Math.max(Math.round(x - width / 2), 0), Math.max(frame.width - width, 0));
  const top = lineNumber === 0 ? PEN : RULER_HEIGHT + PEN + (lineNumber - 1) * (FLAG_HEIGHT + PEN);
  frame.shapes.rectangle(left, top, width, FLAG_HEIGHT);
  surface.fill(colour, frame.shapes);
  frame.shapes.clear();
  surface.text(text, left + FLAG_MARGIN, top + FLAG_HEIGHT / 2 + 0.5, style);
}

function drawHovered(surface: Surface, frame: Frame, view: TimelineView): void {
  const { shapes, palette } = frame;
  const hit = view.hovered.value;
  const lane = hit?.placed.row.kind === "lane" ? hit.placed.row.lane : view.hoveredName.value;
  const placed = lane === null ? null : frame.rowOf(lane);
  if (placed === null) return;
  surface.within({ x: 0, y: RULER_HEIGHT, width: frame.width, height: frame.height }, () => {
    const top = placed.pinned ? placed.y : Math.max(placed.y, frame.pinnedHeight);
    shapes.rectangle(0, top, frame.width, placed.y + placed.height - top);
    surface.fill(palette.hovered, shapes);
    shapes.clear();
    if (hit === null || hit.event === null || hit.post !== null) return;
    const { iconTop, iconHeight } = geometryOf(placed);
    const x = snap(hit.event.left, frame.ratio);
    shapes.rectangle(x - 1, iconTop - 2, 3, 2);
    shapes.rectangle(x - 1, iconTop + iconHeight, 3, 2);
    surface.fill(palette.selected, shapes);
    shapes.clear();
  });
}

function drawRange(surface: Surface, frame: Frame, trace: TraceState, view: TimelineView): void {
  const range = trace.range.value;
  if (range === null || range.axis !== frame.axis) return;
  const { shapes, palette, ratio, width } = frame;
  const left = snap(frame.scale.x(Math.min(range.start, range.end)), ratio);
  const right = snap(frame.scale.x(Math.max(range.start, range.end)), ratio);
  if (right < 0 || left > width) return;
  const [x0, x1] = [Math.max(left, -2), Math.min(right, width + 2)];
  shapes.rectangle(x0, 0, x1 - x0, RULER_HEIGHT + frame.height);
  surface.fill(palette.range, shapes);
  shapes.clear();
  for (const x of [left, right]) shapes.rectangle(x, 0, 1, RULER_HEIGHT + frame.height);
  surface.fill(palette.rangeEdge, shapes);
  shapes.clear();
  flag(
    surface,
    frame,
    (x0 + x1) / 2,
    rangeText(trace, range, view.positions),
    palette.rangeEdge,
    1,
  );
}

function drawBookmarks(surface: Surface, frame: Frame, view: TimelineView): void {
  const { shapes, palette, ratio } = frame;
  const colour = palette.bookmark;
  const top = RULER_HEIGHT - 12;
  for (const { x } of view.bookmarks()) {
    const at = snap(x, ratio);
    shapes.rectangle(at, top, 1, 12);
    frame.batch.of(colour).triangle(at + 1, top, at + FLAG_WIDTH, top + 3, at + 1, top + 7);
  }
  surface.fill(colour, shapes);
  shapes.clear();
  frame.batch.flush((colour, triangles) => surface.triangles(colour, triangles));
}

function drawMarkers(surface: Surface, frame: Frame, trace: TraceState): void {
  const { palette } = frame;
  const marks = [
    { name: "A", moment: trace.markers.a.value, colour: palette.markerA },
    { name: "B", moment: trace.markers.b.value, colour: palette.markerB },
  ];
  const places: number[] = [];
  for (const { name, moment, colour } of marks) {
    if (moment === null) continue;
    places.push(frame.scale.x(trace.position(moment)));
    const x = line(surface, frame, trace.position(moment), colour, 1);
    if (x !== null) flag(surface, frame, x, name, colour, 0);
  }
  const between = betweenMarkers(trace);
  const [first, second] = places;
  if (between === null || first === undefined || second === undefined) return;
  const [left, right] = [Math.min(first, second), Math.max(first, second)];
  if (right < 0 || left > frame.width) return;
  const middle = (Math.max(left, 0) + Math.min(right, frame.width)) / 2;
  flag(surface, frame, middle, between, palette.markerB, 2);
}
