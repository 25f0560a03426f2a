/** Shape of a bar by its role; lanes and the legend draw it. */

import { Role } from "../classes";
import type { Palette } from "../palette";
import type { Batch, Shapes } from "../surface/shapes";
import { type RowGeometry, STATUS_HEIGHT } from "./geometry";

/** Waiting is drawn thinner than ready. */
const WAITING_HEIGHT = 2;
/** Relative height of an interrupt that is not nested. */
const OUTER_PART = 0.6;

/** What bars are collected in. */
export interface BarShapes {
  palette: Palette;
  batch: Batch;
  /** Hatched rectangles. */
  unknown: Shapes;
}

/** A bar to draw; `stacked` if interrupts are drawn by their nesting. */
export interface Bar {
  role: number;
  colour: string;
  x: number;
  width: number;
  stacked: boolean;
}

function verticalPart(role: number, at: RowGeometry, stacked: boolean): [y: number, high: number] {
  const { barTop, barHeight, statusTop } = at;
  switch (role) {
    case Role.ready:
      return [statusTop, STATUS_HEIGHT];
    case Role.waiting:
      return [statusTop + STATUS_HEIGHT - WAITING_HEIGHT, WAITING_HEIGHT];
    case Role.isr: {
      const outer = stacked ? Math.round(barHeight * (1 - OUTER_PART)) : 0;
      return [barTop + outer, barHeight - outer];
    }
    case Role.interrupted:
      return [barTop + Math.round(barHeight / 3), Math.round(barHeight / 3)];
    default:
      return [barTop, barHeight];
  }
}

export function addBar(shapes: BarShapes, at: RowGeometry, bar: Bar): void {
  const { role, colour, x, width, stacked } = bar;
  const [y, height] = verticalPart(role, at, stacked);
  if (role === Role.unknown) {
    shapes.unknown.rectangle(x, y, width, height);
    return;
  }
  shapes.batch.of(colour).rectangle(x, y, width, height);
  if (role !== Role.idle) return;
  // Idle is pale, so that it does not distract, and has an edge that is easy to see.
  const edge = shapes.batch.of(shapes.palette.idleEdge);
  edge.rectangle(x, y, width, 1);
  edge.rectangle(x, y + height - 1, width, 1);
}
