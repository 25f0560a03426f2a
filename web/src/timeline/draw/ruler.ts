/** Draws the ruler above the lanes. */

import type { RulerMarks } from "../ruler";
import type { Surface, TextStyle } from "../surface/surface";
import { type Frame, snap } from "./frame";

export const RULER_HEIGHT = 26;
const MAJOR = 7;
const MINOR = 4;

export function labelStyle(colour: string): TextStyle {
  return { colour, size: 11, align: "center" };
}

export function drawRuler(surface: Surface, frame: Frame, marks: RulerMarks): void {
  const { palette, shapes, ratio, width } = frame;
  const bottom = RULER_HEIGHT - 1;
  shapes.rectangle(0, 0, width, RULER_HEIGHT);
  surface.fill(palette.heading, shapes);
  for (const { x } of marks.major) {
    shapes.rectangle(snap(x, ratio), bottom - MAJOR, 1, MAJOR);
  }
  for (const x of marks.minor) shapes.rectangle(snap(x, ratio), bottom - MINOR, 1, MINOR);
  shapes.rectangle(0, bottom, width, 1);
  surface.fill(palette.switch, shapes);
  const style = labelStyle(palette.textMuted);
  for (const { x, label } of marks.major) {
    const half = surface.measure(label, style) / 2;
    // A truncated number would be misread.
    if (x - half < 0 || x + half > width) continue;
    surface.text(label, x, 10, style);
  }
}
