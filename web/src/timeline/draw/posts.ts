/** Draws post arrows from senders to receivers, and the names of the events. */

import { type Arrow, pointOn } from "../arrows";
import type { Shapes } from "../surface/shapes";
import type { Surface, TextStyle } from "../surface/surface";
import type { Frame } from "./frame";
import { isFree, type LabelBox } from "./label-box";
import { truncate } from "./text";

/** Length and half the width of an arrowhead. */
const HEAD = 6;
const HEAD_HALF = 3.5;
/** Half the side of the square at the start of an arrow without a sender. */
const SOURCE = 2;
const RECALLED_DASH = [5, 3] as const;
const UNHANDLED_DASH = [1.5, 3] as const;

const NAME_SIZE = 10.5;
const NAME_MARGIN = 3;
const NAME_HEIGHT = 13;
const MAX_NAME_WIDTH = 150;
/** Minimum average room per arrow for names, in pixels. */
const MIN_ROOM = 70;

interface ArrowStyle {
  width: number;
  dash?: readonly number[];
  matches: (arrow: Arrow) => boolean;
}

const isHandled = ({ post }: Arrow) => post.step_event !== null;

/**
 * Styles of events posted to the back of a queue, to the front, recalled events, and events without
 * a known step.
 */
const ARROW_STYLES: readonly ArrowStyle[] = [
  {
    width: 1.25,
    matches: (arrow) => isHandled(arrow) && !arrow.post.front && !arrow.post.recalled,
  },
  {
    width: 2.5,
    matches: (arrow) => isHandled(arrow) && arrow.post.front && !arrow.post.recalled,
  },
  {
    width: 1.5,
    dash: RECALLED_DASH,
    matches: (arrow) => isHandled(arrow) && arrow.post.recalled,
  },
  {
    width: 1.25,
    dash: UNHANDLED_DASH,
    matches: (arrow) => !isHandled(arrow),
  },
];

export function drawPosts(surface: Surface, frame: Frame, arrows: readonly Arrow[]): void {
  const { shapes, batch } = frame;
  const colour = frame.palette.post;
  for (const look of ARROW_STYLES) {
    const those = arrows.filter(look.matches);
    if (those.length === 0) continue;
    for (const arrow of those) {
      shapes.curve(arrow.curve);
      head(batch.of(colour), arrow);
    }
    surface.curves(colour, look.width, shapes, look.dash);
    batch.flush((of, triangles) => surface.triangles(of, triangles));
    for (const {
      outside,
      curve: [x, y],
    } of those) {
      if (outside) shapes.rectangle(x - SOURCE, y - SOURCE, 2 * SOURCE, 2 * SOURCE);
    }
    surface.fill(colour, shapes);
  }
}

/** Draws one arrow in another colour, above all others. */
export function emphasise(surface: Surface, frame: Frame, arrow: Arrow, colour: string): void {
  const { shapes } = frame;
  shapes.curve(arrow.curve);
  surface.curves(colour, 2.5, shapes);
  head(shapes, arrow);
  surface.triangles(colour, shapes);
}

function head(triangles: Shapes, { curve, down }: Arrow): void {
  // In the direction from which the curve reaches its end.
  const [x, y] = [curve[6], curve[7]];
  const [fromX, fromY] = pointOn(curve, 0.86);
  const long = Math.hypot(x - fromX, y - fromY);
  const [dx, dy] = long < 1 ? [0, down ? 1 : -1] : [(x - fromX) / long, (y - fromY) / long];
  const [baseX, baseY] = [x - dx * HEAD, y - dy * HEAD];
  triangles.triangle(
    x,
    y,
    baseX - dy * HEAD_HALF,
    baseY + dx * HEAD_HALF,
    baseX + dy * HEAD_HALF,
    baseY - dx * HEAD_HALF,
  );
}

/** Places of a name along its arrow, the preferred one first. */
const NAME_PLACES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];

/**
 * Draws the names of events on their arrows, beside the names in bars; none where there is no free
 * room.
 */
export function drawPostNames(
  surface: Surface,
  frame: Frame,
  arrows: readonly Arrow[],
  barNames: readonly LabelBox[],
): void {
  const { palette, shapes, width, height } = frame;
  if (arrows.length * MIN_ROOM > width) return;
  const style: TextStyle = { colour: palette.text, size: NAME_SIZE };
  const placed: (LabelBox & { text: string })[] = [];
  for (const { post, curve, outside } of arrows) {
    const text = truncate(surface, post.signal_name, style, MAX_NAME_WIDTH);
    const wide = surface.measure(text, style) + 2 * NAME_MARGIN;
    // Above the square at the start of an arrow.
    const places = outside
      ? [[curve[0], curve[1] - NAME_HEIGHT] as const]
      : NAME_PLACES.map((part) => pointOn(curve, part));
    const boxes = places.map(([x, y]) => {
      const [left, top] = [Math.round(x - wide / 2), Math.round(y - NAME_HEIGHT / 2)];
      return { left, right: left + wide, top, bottom: top + NAME_HEIGHT, text };
    });
    const free = boxes.find(
      (box) =>
        box.left >= 0 &&
        box.right <= width &&
        box.top >= 0 &&
        box.bottom <= height &&
        isFree(box, placed) &&
        isFree(box, barNames),
    );
    if (free !== undefined) placed.push(free);
  }
  for (const { left, right, top } of placed) shapes.rectangle(left, top, right - left, NAME_HEIGHT);
  surface.fill(palette.postName, shapes);
  for (const { left, top, text } of placed) {
    surface.text(text, left + NAME_MARGIN, top + NAME_HEIGHT / 2 + 0.5, style);
  }
}
