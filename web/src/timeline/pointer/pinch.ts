/** Pinch with two fingers: the interval between them stays between them. */

import type { TimelineView } from "../view";

/** Minimum distance of the fingers in pixels. */
const MIN_DISTANCE = 24;

export class Pinch {
  private left = 0;
  private right = 0;

  constructor(private readonly view: TimelineView) {}

  /** Starts a pinch with the fingers at these pixels. */
  begin(fingers: readonly number[]): void {
    const scale = this.view.scale();
    const [left, right] = ordered(fingers);
    this.left = scale.at(left);
    this.right = scale.at(right);
  }

  move(fingers: readonly number[]): void {
    const { view } = this;
    const [left, right] = ordered(fingers);
    const perPixel = (this.right - this.left) / (right - left);
    const from = this.left - left * perPixel;
    view.trace.show(from, from + view.width.peek() * perPixel);
  }
}

function ordered(fingers: readonly number[]): [number, number] {
  const [first = 0, second = 0] = fingers;
  const left = Math.min(first, second);
  return [left, Math.max(first, second, left + MIN_DISTANCE)];
}
