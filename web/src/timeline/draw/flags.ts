/** Flags in the ruler: short texts on coloured backgrounds that do not overlap. */

import { readableOn } from "../colour";
import { rulerMarks } from "../ruler";
import type { Surface, TextStyle } from "../surface/surface";
import type { Frame } from "./frame";
import { labelStyle } from "./ruler";

/** A flag at a position in pixels. */
export interface Flag {
  x: number;
  text: string;
  colour: string;
}

const FLAG_HEIGHT = 16;
const TOP = 2;
const MARGIN = 4;
/** Minimum distance of two flags. */
const GAP = 2;

/** Extent in pixels. */
interface Extent {
  left: number;
  right: number;
}

/**
 * Left edges of flags around positions, `null` for those without room. The first ones have their
 * place before the others, which move beside them.
 */
export function placeFlags(
  flags: readonly { x: number; width: number }[],
  room: number,
): (number | null)[] {
  const taken: Extent[] = [];
  return flags.map(({ x, width }) => {
    const limit = room - width;
    if (limit < 0) return null;
    const centred = Math.min(Math.max(Math.round(x - width / 2), 0), limit);
    const free = (left: number) =>
      left >= 0 &&
      left <= limit &&
      taken.every((other) => left + width + GAP <= other.left || left >= other.right + GAP);
    const beside = taken.flatMap(({ left, right }) => [left - GAP - width, right + GAP]);
    const [nearest] = [centred, ...beside]
      .filter(free)
      .sort((one, other) => Math.abs(one - centred) - Math.abs(other - centred));
    if (nearest === undefined) return null;
    taken.push({ left: nearest, right: nearest + width });
    return nearest;
  });
}

/** Draws flags, the most important first, in place of the labels that they would cut. */
export function drawFlags(surface: Surface, frame: Frame, flags: readonly Flag[]): void {
  if (flags.length === 0) return;
  const { shapes, palette } = frame;
  const sized = flags.map((flag) => {
    const style: TextStyle = { colour: readableOn(flag.colour), size: 11 };
    return { ...flag, style, width: Math.ceil(surface.measure(flag.text, style)) + 2 * MARGIN };
  });
  const lefts = placeFlags(sized, frame.width);
  const extents = sized.flatMap(({ width }, at) => {
    const left = lefts[at] ?? null;
    return left === null ? [] : [{ left, right: left + width }];
  });
  const style = labelStyle(palette.textMuted);
  const marks = rulerMarks(frame.scale, frame.axis, frame.frequencyHz, (text) =>
    surface.measure(text, style),
  );
  for (const { x, label } of marks.major) {
    const half = Math.ceil(surface.measure(label, style) / 2) + 1;
    if (extents.some(({ left, right }) => left < x + half && x - half < right)) {
      shapes.rectangle(x - half, 0, 2 * half, TOP + FLAG_HEIGHT);
    }
  }
  surface.fill(palette.heading, shapes);
  for (const [at, { text, colour, style, width }] of sized.entries()) {
    const left = lefts[at] ?? null;
    if (left === null) continue;
    shapes.rectangle(left, TOP, width, FLAG_HEIGHT);
    surface.fill(colour, shapes);
    surface.text(text, left + MARGIN, TOP + FLAG_HEIGHT / 2 + 0.5, style);
  }
}
