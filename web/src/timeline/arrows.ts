/** Layout of post arrows, from the sender's lane to the receiver's. */

import type { Axis, Post } from "../session/wire";
import { middleOf } from "./draw/geometry";
import type { PlacedRow } from "./layout";
import type { Scale } from "./transform";

/** Input of the arrow layout. */
export interface ArrowInput {
  axis: Axis;
  scale: Scale;
  height: number;
  posts: readonly Post[];
  rowOfContext(context: number): PlacedRow | null;
}

/** Arrow of a post. */
export interface Arrow {
  post: Post;
  /** A cubic Bézier curve: start, two control points, end. */
  curve: readonly [number, number, number, number, number, number, number, number];
  /** Whether it ends going down. */
  down: boolean;
  /** Whether its sender has no lane. */
  outside: boolean;
}

/** Height of the loop of an event posted to oneself, and its extra width. */
const LOOP = 15;
const LOOP_WIDE = 12;
/** Distance above a lane at which an arrow starts if its sender has no lane. */
const OUTSIDE = 13;

/** Visible arrows. */
export function arrowsOf(places: ArrowInput): Arrow[] {
  const { scale, posts, height } = places;
  const arrows: Arrow[] = [];
  for (const post of posts) {
    const arrow = arrowOf(places, post);
    if (arrow === null) continue;
    const [x0, y0, , , , , x1, y1] = arrow.curve;
    if (Math.max(x0, x1) < -LOOP || Math.min(x0, x1) > scale.width + LOOP) continue;
    if (Math.max(y0, y1) < -LOOP || Math.min(y0, y1) > height + LOOP) continue;
    arrows.push(arrow);
  }
  return arrows;
}

function arrowOf({ axis, scale, rowOfContext }: ArrowInput, post: Post): Arrow | null {
  const to = rowOfContext(post.receiver);
  if (to === null) return null;
  const from =
    post.sender_context === null || post.sender_context === post.receiver
      ? null
      : rowOfContext(post.sender_context);
  const at = (event: number, time: number) => scale.x(axis === "time" ? time : event + 0.5);
  const x0 = at(post.event, post.time);
  // Without a known step, the arrow ends at the time of the post.
  const x1 =
    post.step_event === null || post.step_time === null ? x0 : at(post.step_event, post.step_time);
  const [top, bottom] = [to.y + 1, to.y + to.height - 1];
  if (post.sender_context === post.receiver) {
    const high = top - LOOP;
    const curve = [x0, top, x0 - LOOP_WIDE, high, x1 + LOOP_WIDE, high, x1, top] as const;
    return { post, curve, down: true, outside: false };
  }
  if (from === null) {
    const y0 = top - OUTSIDE;
    return { post, curve: [x0, y0, x0, top, x1, y0, x1, top], down: true, outside: true };
  }
  const y0 = middleOf(from);
  const down = from.y < to.y;
  const y1 = down ? top : bottom;
  const middle = (y0 + y1) / 2;
  return { post, curve: [x0, y0, x0, middle, x1, middle, x1, y1], down, outside: false };
}

/** Point of a curve at a parameter from 0 to 1. */
export function pointOn(curve: Arrow["curve"], part: number): [number, number] {
  const rest = 1 - part;
  const [a, b, c, d] = [rest ** 3, 3 * rest ** 2 * part, 3 * rest * part ** 2, part ** 3];
  const [x0, y0, x1, y1, x2, y2, x3, y3] = curve;
  return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
}

const SEGMENTS = 24;

/** Nearest arrow within a distance of a point. */
export function arrowNear(
  arrows: readonly Arrow[],
  x: number,
  y: number,
  near: number,
): Arrow | null {
  let best: Arrow | null = null;
  let least = near;
  for (const arrow of arrows) {
    const distance = distanceTo(arrow.curve, x, y, least);
    if (distance > least) continue;
    least = distance;
    best = arrow;
  }
  return best;
}

function distanceTo(curve: Arrow["curve"], x: number, y: number, near: number): number {
  const xs = [curve[0], curve[2], curve[4], curve[6]];
  const ys = [curve[1], curve[3], curve[5], curve[7]];
  // A curve is within the bounding box of its four points.
  if (x < Math.min(...xs) - near || x > Math.max(...xs) + near) return Infinity;
  if (y < Math.min(...ys) - near || y > Math.max(...ys) + near) return Infinity;
  let least = Infinity;
  let [lastX, lastY] = pointOn(curve, 0);
  for (let part = 1; part <= SEGMENTS; part += 1) {
    const [nextX, nextY] = pointOn(curve, part / SEGMENTS);
    least = Math.min(least, toSegment(x, y, lastX, lastY, nextX, nextY));
    [lastX, lastY] = [nextX, nextY];
  }
  return least;
}

function toSegment(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const length = dx * dx + dy * dy;
  const part =
    length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / length));
  return Math.hypot(x - x0 - part * dx, y - y0 - part * dy);
}
