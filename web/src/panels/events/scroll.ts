/** Scrolling through more rows than a browser can make an element high. */

/** Browsers lay out no element higher than about 16 million pixels. */
export const HIGHEST = 8_000_000;

/** Rows of one height, of which some are seen at a time. */
export interface Extent {
  rows: number;
  rowHeight: number;
  viewHeight: number;
}

/** How high the scrolled element is. */
export function contentHeight({ rows, rowHeight }: Extent): number {
  return Math.min(rows * rowHeight, HIGHEST);
}

/** The highest first row: then the last one is seen whole. Rows may be cut, so it may be broken. */
export function lastFirst({ rows, rowHeight, viewHeight }: Extent): number {
  return Math.max(0, rows - viewHeight / rowHeight);
}

/** Whether a pixel of the scroll bar stands for more than a pixel of rows. */
export function isScaled(extent: Extent): boolean {
  return extent.rows * extent.rowHeight > HIGHEST;
}

function farthest(extent: Extent): number {
  return Math.max(0, contentHeight(extent) - extent.viewHeight);
}

/** The scroll position at which that row is the first. */
export function scrollOf(first: number, extent: Extent): number {
  const last = lastFirst(extent);
  return last === 0 ? 0 : (first / last) * farthest(extent);
}

/** The first row at a scroll position. */
export function firstOf(scroll: number, extent: Extent): number {
  const far = farthest(extent);
  return far === 0 ? 0 : Math.min(1, Math.max(0, scroll / far)) * lastFirst(extent);
}

/** The first row after scrolling from one position to another: by pixels if that is a small step. */
export function scrolled(first: number, before: number, now: number, extent: Extent): number {
  const isJump = Math.abs(now - before) > extent.viewHeight;
  if (isJump || !isScaled(extent)) return firstOf(now, extent);
  return clampFirst(first + (now - before) / extent.rowHeight, extent);
}

/** A first row that exists. */
export function clampFirst(first: number, extent: Extent): number {
  return Math.min(Math.max(0, first), lastFirst(extent));
}

/** The first row that brings a row into view, moving as little as can be; in the middle if far off. */
export function reveal(row: number, first: number, extent: Extent): number {
  const seen = extent.viewHeight / extent.rowHeight;
  if (row >= first && row + 1 <= first + seen) return first;
  const isFar = row < first - seen || row > first + 2 * seen;
  if (isFar) return clampFirst(Math.round(row - seen / 2), extent);
  return clampFirst(row < first ? row : row + 1 - seen, extent);
}
