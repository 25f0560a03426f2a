/** Conversion between trace positions and pixels. */

import type { Interval } from "../state/interval";

/** Mapping of the visible interval to the screen. */
export class Scale {
  /** Pixels per unit of the axis. */
  readonly perUnit: number;

  constructor(
    readonly start: number,
    readonly end: number,
    readonly width: number,
  ) {
    this.perUnit = width / Math.max(end - start, Number.MIN_VALUE);
  }

  static of({ start: from, end: to }: Interval, width: number): Scale {
    return new Scale(from, to, width);
  }

  /** Pixels from the left of a position. */
  x(at: number): number {
    return (at - this.start) * this.perUnit;
  }

  /** Position at a number of pixels from the left. */
  at(x: number): number {
    return this.start + x / this.perUnit;
  }
}

/** Mapping of an answer's pixels to the screen: `x * stretch + offset`. */
export interface Transform {
  stretch: number;
  offset: number;
}

/** Current mapping of an answer's pixels. At the same zoom, they stay whole pixels. */
export function transformOf(
  answer: { start: number; end: number; width: number },
  scale: Scale,
  ratio = 1,
): Transform {
  const stretch = ((answer.end - answer.start) / answer.width) * scale.perUnit;
  const offset = scale.x(answer.start);
  if (Math.abs(stretch - 1) > 1e-6) return { stretch, offset };
  return { stretch: 1, offset: Math.round(offset * ratio) / ratio };
}

/** First index whose value is not less than `value`, in ascending numbers. */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
