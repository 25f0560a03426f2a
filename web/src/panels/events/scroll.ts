/** Scroll arithmetic for tables higher than a browser's maximum element height. */

/** Maximum content height: browsers lay out elements up to about 16 million pixels. */
export const HIGHEST = 8_000_000;

/** Rows of equal height in a view. */
export interface Extent {
  rows: number;
  rowHeight: number;
  viewHeight: number;
}

/** Height of the scrolled element. */
export function contentHeight({ rows, rowHeight }: Extent): number {
  return Math.min(rows * rowHeight, HIGHEST);
}

/**
 * Maximum first row, at which the last one is fully visible. Rows may be cut off, so it may be
 * fractional.
 */
export function lastFirst({ rows, rowHeight, viewHeight }: Extent): number {
  return Math.max(0, rows - viewHeight / rowHeight);
}

/** Whether a pixel of the scroll bar is more than a pixel of rows. */
export function isScaled(extent: Extent): boolean {
  return extent.rows * extent.rowHeight > HIGHEST;
}

function farthest(extent: Extent): number {
  return Math.max(0, contentHeight(extent) - extent.viewHeight);
}

/** Scroll position of a first row. */
export function scrollOf(first: number, extent: Extent): number {
  const last = lastFirst(extent);
  return last === 0 ? 0 : (first / last) * farthest(extent);
}

/** First row at a scroll position. */
export function firstOf(scroll: number, extent: Extent): number {
  const far = farthest(extent);
  return far === 0 ? 0 : Math.min(1, Math.max(0, scroll / far)) * lastFirst(extent);
}

/** First row after scrolling between two positions: by pixels for small steps. */
export function scrolled(first: number, before: number, now: number, extent: Extent): number {
  const isJump = Math.abs(now - before) > extent.viewHeight;
  if (isJump || !isScaled(extent)) return firstOf(now, extent);
  return clampFirst(first + (now - before) / extent.rowHeight, extent);
}

/** Clamps a first row. */
export function clampFirst(first: number, extent: Extent): number {
  return Math.min(Math.max(0, first), lastFirst(extent));
}

/** First row that reveals a row with the least movement, or centres it if it is far away. */
export function reveal(row: number, first: number, extent: Extent): number {
  const seen = extent.viewHeight / extent.rowHeight;
  if (row >= first && row + 1 <= first + seen) return first;
  const isFar = row < first - seen || row > first + 2 * seen;
  if (isFar) return clampFirst(Math.round(row - seen / 2), extent);
  return clampFirst(row < first ? row : row + 1 - seen, extent);
}
