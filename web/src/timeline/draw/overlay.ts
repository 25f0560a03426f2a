/** The overlay with the pointer, the selection and marks, on a canvas above the lanes. */

import type { Post } from "../../session/wire";
import { isAtEvent } from "../../state/bookmarks";
import { countText } from "../../state/format";
import { loadSelection } from "../../state/load-selection";
import type { TraceState } from "../../state/trace";
import { drawSelectedLane } from "../cpu-load/draw";
import { betweenMarkers, pointerText, rangeText } from "../position-text";
import type { Surface } from "../surface/surface";
import { FLAG_WIDTH, type TimelineView } from "../view";
import { emphasiseWakes } from "./across";
import { drawCriticalPath } from "./critical-path";
import { drawFlags, type Flag } from "./flags";
import { type Frame, snap } from "./frame";
import { geometryOf } from "./geometry";
import { drawItemPath } from "./item-path";
import { emphasise } from "./posts";
import { RULER_HEIGHT } from "./ruler";

/** Maximum number of notes in the ruler. */
const MAX_NOTE_FLAGS = 30;
/** Maximum number of characters of a note in the ruler. */
const MAX_NOTE_LENGTH = 24;

/** Draws all marks, and their flags in the ruler. */
export function drawOverlay(surface: Surface, frame: Frame, view: TimelineView): void {
  const marks = addMarks(surface, frame, view);
  const pointer = drawPointer(surface, frame, view);
  drawFlags(surface, frame, [...pointer, ...marks]);
}

/** Draws the range, bookmarks, markers and the selected event. */
export function drawMarks(surface: Surface, frame: Frame, view: TimelineView): void {
  drawFlags(surface, frame, addMarks(surface, frame, view));
}

/** Draws the marks without flags; returns the flags, the most important first. */
function addMarks(surface: Surface, frame: Frame, view: TimelineView): Flag[] {
  const { trace } = view;
  drawSelectedLane(surface, frame, loadSelection(trace).value?.lane ?? null);
  drawCriticalPath(surface, frame, trace);
  const range = drawRange(surface, frame, trace, view);
  const bookmarks = drawBookmarks(surface, frame, view);
  const markers = drawMarkers(surface, frame, trace);
  const flags: Flag[] = [];
  const selected = trace.selected.value;
  if (selected !== null) {
    drawArrows(
      surface,
      frame,
      view,
      frame.palette.selected,
      ({ event, step_event: take }) => event === selected.event || take === selected.event,
    );
    withinLanes(surface, frame, () => emphasiseWakes(surface, frame, selected.event, null));
    const x = line(surface, frame, trace.position(selected), frame.palette.selected, 1);
    const text = `#${countText(selected.event)}`;
    if (x !== null) flags.push({ x, text, colour: frame.palette.selected });
  }
  return [...flags, ...markers, ...range, ...bookmarks];
}

/** Draws the pointer and the hovered item. */
function drawPointer(surface: Surface, frame: Frame, view: TimelineView): Flag[] {
  drawHovered(surface, frame, view);
  const hovered = view.hovered.value?.post;
  if (hovered) {
    drawArrows(surface, frame, view, frame.palette.accent, ({ event }) => event === hovered.event);
  }
  drawItemPath(surface, frame, view.itemPath.value);
  const cursor = view.trace.cursor.value;
  if (cursor === null) return [];
  const x = line(surface, frame, cursor, frame.palette.cursor, 1, [2, 2]);
  const text = pointerText(view.trace);
  return x === null || text === null ? [] : [{ x, text, colour: frame.palette.cursor }];
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
  withinLanes(surface, frame, () => {
    for (const arrow of arrows) emphasise(surface, frame, arrow, colour);
  });
}

function withinLanes(surface: Surface, { width, height }: Frame, draw: () => void): void {
  surface.within({ x: 0, y: RULER_HEIGHT, width, height }, draw);
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
  return x;
}

function drawHovered(surface: Surface, frame: Frame, view: TimelineView): void {
  const { shapes, palette } = frame;
  const hit = view.hovered.value;
  const lane = hit?.placed.row.kind === "lane" ? hit.placed.row.lane : view.hoveredName.value;
  const placed = lane === null ? null : frame.rowOf(lane);
  if (placed === null) return;
  withinLanes(surface, frame, () => {
    const top = placed.pinned ? placed.y : Math.max(placed.y, frame.pinnedHeight);
    shapes.rectangle(0, top, frame.width, placed.y + placed.height - top);
    surface.fill(palette.hovered, shapes);
    emphasiseWakes(surface, frame, null, placed);
    if (hit === null || hit.event === null || hit.post !== null) return;
    const { iconTop, iconHeight } = geometryOf(placed);
    const x = snap(hit.event.left, frame.ratio);
    shapes.rectangle(x - 1, iconTop - 2, 3, 2);
    shapes.rectangle(x - 1, iconTop + iconHeight, 3, 2);
    surface.fill(palette.selected, shapes);
  });
}

function drawRange(surface: Surface, frame: Frame, trace: TraceState, view: TimelineView): Flag[] {
  const range = trace.range.value;
  if (range === null || range.axis !== frame.axis) return [];
  const { shapes, palette, ratio, width } = frame;
  const left = snap(frame.scale.x(Math.min(range.start, range.end)), ratio);
  const right = snap(frame.scale.x(Math.max(range.start, range.end)), ratio);
  if (right < 0 || left > width) return [];
  const [x0, x1] = [Math.max(left, -2), Math.min(right, width + 2)];
  // A range that fills the picture would only grey it.
  if (left > 1 || right < width - 1) {
    shapes.rectangle(x0, 0, x1 - x0, RULER_HEIGHT + frame.height);
    surface.fill(palette.range, shapes);
  }
  for (const x of [left, right]) shapes.rectangle(x, 0, 1, RULER_HEIGHT + frame.height);
  surface.fill(palette.rangeEdge, shapes);
  const text = rangeText(trace, range, view.positions);
  return [{ x: (x0 + x1) / 2, text, colour: palette.rangeEdge }];
}

/** Draws bookmarks; returns the notes of times and ranges. */
function drawBookmarks(surface: Surface, frame: Frame, view: TimelineView): Flag[] {
  const { shapes, palette, ratio } = frame;
  const colour = palette.bookmark;
  // Below the flags.
  const top = RULER_HEIGHT - 8;
  const shown = view.bookmarks();
  for (const { x, right } of shown) {
    if (right === null) continue;
    const left = snap(x, ratio);
    shapes.rectangle(left, RULER_HEIGHT, Math.max(snap(right, ratio) - left, 1), frame.height);
  }
  surface.fill(palette.bookmarkRange, shapes);
  for (const { x, right } of shown) {
    const at = snap(x, ratio);
    shapes.rectangle(at, top, 1, 8);
    if (right !== null) {
      shapes.rectangle(at, RULER_HEIGHT - 2, Math.max(snap(right, ratio) - at, 1), 2);
    }
    frame.batch.of(colour).triangle(at + 1, top, at + FLAG_WIDTH, top + 3, at + 1, top + 7);
  }
  surface.fill(colour, shapes);
  frame.batch.flush((colour, triangles) => surface.triangles(colour, triangles));
  const extended = shown.filter(({ bookmark }) => !isAtEvent(bookmark));
  for (const { x, right } of extended) {
    for (const at of [x, right ?? x]) {
      const edge = snap(at, ratio) + 0.5 / ratio;
      shapes.line(edge, RULER_HEIGHT, edge, RULER_HEIGHT + frame.height);
    }
  }
  surface.stroke(colour, 1, shapes, [1, 3]);
  return extended.slice(0, MAX_NOTE_FLAGS).flatMap(({ bookmark: { note }, x, right }) => {
    const text = firstCharacters(note, MAX_NOTE_LENGTH);
    return text === "" ? [] : [{ x: (x + (right ?? x)) / 2, text, colour }];
  });
}

/** The start of a note on one line. */
function firstCharacters(note: string, count: number): string {
  const [line = ""] = note.split("\n", 1);
  const characters = [...line];
  if (characters.length <= count && line === note) return line;
  return `${characters.slice(0, count - 1).join("")}…`;
}

function drawMarkers(surface: Surface, frame: Frame, trace: TraceState): Flag[] {
  const { palette } = frame;
  const marks = [
    { name: "A", moment: trace.markers.a.value, colour: palette.markerA },
    { name: "B", moment: trace.markers.b.value, colour: palette.markerB },
  ];
  const flags: Flag[] = [];
  const places: number[] = [];
  for (const { name, moment, colour } of marks) {
    if (moment === null) continue;
    places.push(frame.scale.x(trace.position(moment)));
    const x = line(surface, frame, trace.position(moment), colour, 1);
    if (x !== null) flags.push({ x, text: name, colour });
  }
  const between = betweenMarkers(trace);
  const [first, second] = places;
  if (between === null || first === undefined || second === undefined) return flags;
  const [left, right] = [Math.min(first, second), Math.max(first, second)];
  if (right < 0 || left > frame.width) return flags;
  const middle = (Math.max(left, 0) + Math.min(right, frame.width)) / 2;
  flags.push({ x: middle, text: between, colour: palette.markerB });
  return flags;
}
