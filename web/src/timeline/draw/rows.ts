/** Draws the backgrounds of rows, the grid and the lines between rows. */

import type { PlacedRow } from "../layout";
import type { RulerMarks } from "../ruler";
import type { Surface } from "../surface/surface";
import { type Frame, snap } from "./frame";

export function drawRows(
  surface: Surface,
  frame: Frame,
  rows: readonly PlacedRow[],
  marks: RulerMarks,
): void {
  const { batch, palette, width, shapes } = frame;
  for (const { row, index, y, height } of rows) {
    const colour =
      row.kind === "group"
        ? palette.heading
        : index % 2 === 0
          ? palette.background
          : palette.backgroundOther;
    batch.of(colour).rectangle(0, y, width, height);
  }
  batch.flush((colour, rectangles) => surface.fill(colour, rectangles));
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return;
  for (const { x } of marks.major) {
    shapes.rectangle(snap(x, frame.ratio), first.y, 1, last.y + last.height - first.y);
  }
  surface.fill(palette.grid, shapes);
  for (const { y, height } of rows) shapes.rectangle(0, y + height - 1, width, 1);
  surface.fill(palette.line, shapes);
}
