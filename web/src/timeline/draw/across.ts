/** Items across lanes: context switches, wake-ups and gaps. */

import { NONE, type Wakes } from "../../session/lanes";
import { isActiveObject } from "../../state/contexts";
import { translucent } from "../colour";
import type { PlacedRow } from "../layout";
import type { Surface } from "../surface/surface";
import { lowerBound, type Transform } from "../transform";
import { type Frame, snap } from "./frame";
import { middleOf } from "./geometry";

/** Length and half the height of an arrowhead. */
const HEAD = 6;
const HEAD_HALF = 3.5;

/** Width of the band of a gap. */
const GAP_BAND = 9;

/** Opacity of context switches: what runs is more important. */
const SWITCH_OPACITY = 0.65;

/** Lines closer than this on average are omitted, in pixels: they would hide everything else. */
const MIN_DISTANCE = 7;

/** Whether the visible lines are far enough apart. */
function areSparse(x: Float32Array, frame: Frame, { stretch, offset }: Transform): boolean {
  const first = lowerBound(x, -offset / stretch);
  const last = lowerBound(x, (frame.width - offset) / stretch);
  return (last - first) * MIN_DISTANCE <= frame.width;
}

/** Vertical lines from the previous to the next running context. */
export function drawSwitches(surface: Surface, frame: Frame): void {
  const switches = frame.across?.answer.switches;
  if (!frame.options.switchLines || frame.across === null || !switches) return;
  if (!areSparse(switches.x, frame, frame.across.transform)) return;
  const { stretch, offset } = frame.across.transform;
  const { shapes, ratio, width } = frame;
  const half = 0.5 / ratio;
  for (let index = 0; index < switches.x.length; index += 1) {
    const x = snap((switches.x[index] ?? 0) * stretch + offset, ratio) + half;
    if (x < 0 || x > width) continue;
    const from = frame.rowOfContext(switches.from[index] ?? NONE);
    const to = frame.rowOfContext(switches.to[index] ?? NONE);
    if (from === null || to === null) continue;
    const [y0, y1] = [middleOf(from), middleOf(to)];
    // Skip lines between rows that are both above or both below the view.
    if (Math.max(y0, y1) < 0 || Math.min(y0, y1) > frame.height) continue;
    shapes.line(x, y0, x, y1);
  }
  surface.stroke(translucent(frame.palette.switch, SWITCH_OPACITY), 1, shapes);
}

/** What is drawn of wake-ups. */
interface WakeStyle {
  /** Whether a wake-up is drawn. */
  includes(wakes: Wakes, index: number): boolean;
  /** Whether the line begins in the lane of the cause, and not at the edge of the woken lane. */
  fromCause: boolean;
  colour: string;
}

/** Opacity of wake-ups that are not emphasised. */
const WAKE_OPACITY = 0.55;

/** Wake-ups within the lanes of the woken threads, so that no line crosses other lanes. */
export function drawWakes(surface: Surface, frame: Frame): void {
  const colour = translucent(frame.palette.wake, WAKE_OPACITY);
  drawWakeArrows(surface, frame, { includes: () => true, fromCause: false, colour });
}

/** Whole wake-ups from their causes: of an event, and of the contexts of a lane. */
export function emphasiseWakes(
  surface: Surface,
  frame: Frame,
  event: number | null,
  lane: PlacedRow | null,
): void {
  if (event === null && lane === null) return;
  const isOf = (context = NONE) =>
    lane !== null && frame.rowOfContext(context)?.index === lane.index;
  drawWakeArrows(surface, frame, {
    includes: ({ cause, effect, waker, thread }, index) =>
      (event !== null && (cause[index] === event || effect[index] === event)) ||
      isOf(waker[index]) ||
      isOf(thread[index]),
    fromCause: true,
    colour: frame.palette.wake,
  });
}

/** From the cause down or up to the thread, and along it while it is ready, until its dispatch. */
function drawWakeArrows(surface: Surface, frame: Frame, style: WakeStyle): void {
  const wakes = frame.across?.answer.wakes;
  if (!frame.options.wakeArrows || frame.across === null || !wakes) return;
  if (!areSparse(wakes.x0, frame, frame.across.transform)) return;
  const { stretch, offset } = frame.across.transform;
  const { shapes, ratio, width } = frame;
  const heads = frame.batch.of(style.colour);
  const half = 0.5 / ratio;
  for (let index = 0; index < wakes.x0.length; index += 1) {
    const x0 = snap((wakes.x0[index] ?? 0) * stretch + offset, ratio) + half;
    const x1 = (wakes.x1[index] ?? 0) * stretch + offset;
    if (x1 < 0 || x0 > width || !style.includes(wakes, index)) continue;
    const thread = wakes.thread[index] ?? NONE;
    // An active object is woken by an event, which has an arrow of its own.
    if (frame.options.postArrows && isActive(frame, thread)) continue;
    const to = frame.rowOfContext(thread);
    if (to === null) continue;
    const from = frame.rowOfContext(wakes.waker[index] ?? NONE);
    const y1 = middleOf(to);
    const cause = from === null ? y1 : middleOf(from);
    const [top, bottom] = [to.y + 1, to.y + to.height - 1];
    const y0 = style.fromCause ? cause : Math.min(Math.max(cause, top), bottom);
    const up = y0 > y1;
    if (x1 - x0 < 2 * HEAD) {
      if (y0 === y1) continue;
      const tail = up ? HEAD : -HEAD;
      shapes.line(x0, y0, x0, y1 + tail);
      heads.triangle(x0, y1, x0 - HEAD_HALF, y1 + tail, x0 + HEAD_HALF, y1 + tail);
      continue;
    }
    if (y0 !== y1 && x0 >= 0) shapes.line(x0, y0, x0, y1);
    shapes.line(Math.max(x0, -1), y1, Math.min(x1 - HEAD, width + 1), y1);
    heads.triangle(x1, y1, x1 - HEAD, y1 - HEAD_HALF, x1 - HEAD, y1 + HEAD_HALF);
  }
  surface.stroke(style.colour, 1, shapes);
  frame.batch.flush((colour, triangles) => surface.triangles(colour, triangles));
}

function isActive({ overview }: Frame, context: number): boolean {
  const known = overview.contexts[context];
  return known !== undefined && isActiveObject(known);
}

/** Hatched bands with a dashed line where events are missing. */
export function drawGaps(surface: Surface, frame: Frame): void {
  const gaps = frame.across?.answer.gaps;
  if (frame.across === null || !gaps) return;
  const { stretch, offset } = frame.across.transform;
  const { shapes, ratio, height } = frame;
  const visible: number[] = [];
  for (const gap of gaps.x) {
    const x = snap(gap * stretch + offset, ratio) + 0.5 / ratio;
    if (x >= 0 && x <= frame.width) visible.push(x);
  }
  for (const x of visible) shapes.rectangle(x - GAP_BAND / 2, 0, GAP_BAND, height);
  surface.hatch(frame.palette.gap, shapes);
  for (const x of visible) shapes.line(x, 0, x, height);
  surface.stroke(frame.palette.gap, 2, shapes, [5, 3]);
}
