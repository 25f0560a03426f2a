/** Scroll arithmetic for tables higher than a browser's maximum element height. */

/** Maximum content height: browsers lay out elements up to about 16 million pixels. */
export const MAX_HEIGHT = 8_000_000;

/** Rows of equal height in a view. */
export interface ScrollExtent {
  rows: number;
  rowHeight: number;
  viewHeight: number;
}

/** Height of the scrolled element. */
export function contentHeight({ rows, rowHeight }: ScrollExtent): number {
  return Math.min(rows * rowHeight, MAX_HEIGHT);
}

/**
 * Maximum first row, at which the last one is fully visible. Rows may be cut off, so it may be
 * fractional.
 */
export function maxFirstRow({ rows, rowHeight, viewHeight }: ScrollExtent): number {
  return Math.max(0, rows - viewHeight / rowHeight);
}

/** Whether a pixel of the scroll bar is more than a pixel of rows. */
export function isScaled(extent: ScrollExtent): boolean {
  return extent.rows * extent.rowHeight > MAX_HEIGHT;
}

function maxScroll(extent: ScrollExtent): number {
  return Math.max(0, contentHeight(extent) - extent.viewHeight);
}

/** Scroll position of a first row. */
export function scrollPosition(first: number, extent: ScrollExtent): number {
  const last = maxFirstRow(extent);
  return last === 0 ? 0 : (first / last) * maxScroll(extent);
}

/** First row at a scroll position. */
export function firstRowAt(scroll: number, extent: ScrollExtent): number {
  const far = maxScroll(extent);
  return far === 0 ? 0 : Math.min(1, Math.max(0, scroll / far)) * maxFirstRow(extent);
}

/** First row after scrolling between two positions: by pixels for small steps. */
export function firstRowAfter(
  first: number,
  before: number,
  now: number,
  extent: ScrollExtent,
): number {
  const isJump = Math.abs(now - before) > extent.viewHeight;
  if (isJump || !isScaled(extent)) return firstRowAt(now, extent);
  return clampFirstRow(first + (now - before) / extent.rowHeight, extent);
}

/** Clamps a first row. */
export function clampFirstRow(first: number, extent: ScrollExtent): number {
  return Math.min(Math.max(0, first), maxFirstRow(extent));
}

/** First row that reveals a row with the least movement, or centres it if it is far away. */
export function reveal(row: number, first: number, extent: ScrollExtent): number {
  const seen = extent.viewHeight / extent.rowHeight;
  if (row >= first && row + 1 <= first + seen) return first;
  const isFar = row < first - seen || row > first + 2 * seen;
  if (isFar) return clampFirstRow(Math.round(row - seen / 2), extent);
  return clampFirstRow(row < first ? row : row + 1 - seen, extent);
}
