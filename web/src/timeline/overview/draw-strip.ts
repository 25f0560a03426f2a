/**
 * Draws the overview strip: load, or events if it is not known, search hits, bookmarks, gaps,
 * inversions and the visible interval.
 */

import { NONE } from "../../session/lanes";
import { intervalOfPlace } from "../../state/bookmarks";
import { palette } from "../palette";
import { Shapes } from "../surface/shapes";
import type { Surface } from "../surface/surface";
import { Scale, transformOf } from "../transform";
import type { TimelineView } from "../view";
import type { EventCounts, OverviewData } from "./overview-data";

/** From top to bottom: hits and bookmarks, load, inversions. */
const TOP = 9;
const BOTTOM = 8;
const HANDLE = 3;
const MIN_HIT_HEIGHT = 3;

const UNBOUNDED = 1;

/** Draws counts above `bottom`. The more in a pixel, the higher: each doubling counts the same. */
function drawCounts(
  shapes: Shapes,
  { start, end, counts }: EventCounts,
  scale: Scale,
  bottom: number,
  low: number,
  high: number,
): void {
  const doublings = Math.log2(counts.reduce((most, count) => Math.max(most, count), 1));
  counts.forEach((count, pixel) => {
    if (count === 0) return;
    const at = start + ((end - start) * pixel) / counts.length;
    const heat = doublings === 0 ? 1 : Math.log2(count) / doublings;
    const tall = low + heat * (high - low);
    shapes.rectangle(scale.x(at), bottom - tall, 1, tall);
  });
}

export function drawStrip(
  surface: Surface,
  view: TimelineView,
  whole: OverviewData,
  size: { width: number; height: number },
): void {
  const { trace } = view;
  const colours = palette();
  const { width, height } = size;
  const scale = Scale.of(trace.fullInterval.peek(), width);
  const shapes = new Shapes();
  const fill = (colour: string) => surface.fill(colour, shapes);
  const time = trace.axis.peek() === "time";
  const low = height - BOTTOM;
  const high = low - TOP;

  const load = whole.load.peek();
  if (load !== null) {
    load.positions.forEach((at, index) => {
      const most = load.max[index];
      if (most === null || most === undefined || most <= 0) return;
      const x = Math.floor(scale.x(at));
      const next = Math.ceil(scale.x(load.positions[index + 1] ?? load.end));
      const tall = Math.max(1, (most / 100) * high);
      shapes.rectangle(x, low - tall, Math.max(next - x, 1), tall);
    });
    fill(colours.load);
  }
  const events = whole.events.peek();
  if (events !== null) {
    drawCounts(shapes, events, scale, low, 1, high);
    fill(colours.load);
  }
  shapes.rectangle(0, low, width, 1);
  fill(colours.line);

  const across = whole.lanes.peek();
  const transform = across === null ? null : transformOf(across, scale);
  const inversions = across?.inversions;
  if (transform !== null && inversions) {
    for (const strong of [false, true]) {
      inversions.x0.forEach((x0, index) => {
        if ((inversions.unbounded[index] === UNBOUNDED) !== strong) return;
        const x = x0 * transform.stretch + transform.offset;
        const end = (inversions.x1[index] ?? x0) * transform.stretch + transform.offset;
        shapes.rectangle(Math.floor(x), low + 2, Math.max(Math.ceil(end - x), 2), BOTTOM - 3);
      });
      fill(strong ? colours.unboundedEdge : colours.boundedEdge);
    }
  }
  for (const shares of across?.inversionShares ?? []) {
    if (transform === null || shares.context !== NONE) continue;
    for (const strong of [false, true]) {
      (strong ? shares.unbounded : shares.bounded).forEach((share, pixel) => {
        if (share === 0) return;
        const tall = Math.max((share / 255) * (BOTTOM - 2), 1);
        const x = pixel * transform.stretch + transform.offset;
        shapes.rectangle(x, height - 1 - tall, transform.stretch, tall);
      });
      fill(strong ? colours.unboundedEdge : colours.boundedEdge);
    }
  }
  for (const gap of trace.overview.gaps) {
    shapes.rectangle(Math.round(scale.x(time ? gap.time : gap.event)) - 1, TOP, 2, height - TOP);
  }
  fill(colours.gap);

  const hits = whole.hits.peek();
  if (hits !== null) drawCounts(shapes, hits, scale, TOP - 1, MIN_HIT_HEIGHT, TOP - 2);
  fill(colours.hit);
  for (const bookmark of trace.bookmarks.peek()) {
    const interval = intervalOfPlace(bookmark, trace.axis.peek(), view.positions);
    if (interval === null) continue;
    const x = Math.round(scale.x(interval.start));
    if (bookmark.end === undefined) shapes.rectangle(x - 2, 0, 5, 5);
    else shapes.rectangle(x, 0, Math.max(Math.round(scale.x(interval.end)) - x, 5), 5);
  }
  fill(colours.bookmark);
  const { a, b } = trace.markers;
  const marks = [
    [a.peek(), colours.markerA],
    [b.peek(), colours.markerB],
    [trace.selected.peek(), colours.selected],
  ] as const;
  for (const [moment, colour] of marks) {
    if (moment === null) continue;
    shapes.rectangle(Math.round(scale.x(trace.position(moment))), 0, 1, height);
    fill(colour);
  }

  const { start: from, end: to } = trace.window.peek();
  const left = Math.max(0, Math.round(scale.x(from)));
  const right = Math.min(width, Math.max(Math.round(scale.x(to)), left + 2));
  shapes.rectangle(0, 0, left, height);
  shapes.rectangle(right, 0, width - right, height);
  fill(colours.veil);
  shapes.rectangle(left, 0, right - left, 1);
  shapes.rectangle(left, height - 1, right - left, 1);
  shapes.rectangle(left, 0, 1, height);
  shapes.rectangle(right - 1, 0, 1, height);
  const middle = Math.round(height / 2);
  shapes.rectangle(left - 1, middle - 7, HANDLE, 14);
  shapes.rectangle(right - HANDLE + 1, middle - 7, HANDLE, 14);
  fill(colours.accent);
}
