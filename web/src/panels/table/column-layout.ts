/** Widths of table columns. */

/** A column to be laid out; widths in pixels. */
export interface ColumnSize {
  /** Width of the widest cell or, if that is wider, of the longest word of the header. */
  natural: number;
  /** Whether cells are numbers, which are never cut. */
  isNumber: boolean;
  /** Width that the user chose; `null` if none. */
  chosen: number | null;
}

/** Minimum width of a column that the user resizes, in pixels. */
export const MIN_COLUMN_WIDTH = 32;
/** Maximum width of a column that the user resizes, in pixels. */
export const MAX_COLUMN_WIDTH = 2000;
/** Widths within which a text column gives way, in pixels. */
const MIN_TEXT_WIDTH = 76;
/** The same of the first column, which names the row. */
const MIN_NAME_WIDTH = 140;
const MAX_TEXT_WIDTH = 360;

/** Greatest width that, as a limit of all texts, keeps their sum within `room`. */
function textLimit(texts: readonly number[], room: number): number {
  let rest = room;
  const ascending = texts.toSorted((one, other) => one - other);
  for (const [number, width] of ascending.entries()) {
    const share = rest / (ascending.length - number);
    if (width > share) return share;
    rest -= width;
  }
  return Number.POSITIVE_INFINITY;
}

/** Widens the columns that are wholly visible, so that the edge cuts no other one. */
function endingAtEdge(
  widths: readonly number[],
  columns: readonly ColumnSize[],
  available: number,
): number[] {
  let [visible, room] = [0, available];
  for (const width of widths) {
    if (width > room) break;
    visible += 1;
    room -= width;
  }
  const isWidened = (number: number) => number < visible && columns[number]?.chosen === null;
  const flexible = widths.reduce((all, width, number) => all + (isWidened(number) ? width : 0), 0);
  return widths.map((width, number) =>
    isWidened(number) ? width + (room * width) / flexible : width,
  );
}

/**
 * Widths of columns within `available` pixels. Numbers keep their natural width and texts give way,
 * the widest first; the sum exceeds `available` if they would become too narrow. Room that is left
 * goes to the columns whose width the user did not choose.
 */
export function columnWidths(columns: readonly ColumnSize[], available: number): number[] {
  const isText = ({ isNumber, chosen }: ColumnSize) => !isNumber && chosen === null;
  const wanted = columns.map(
    (column) =>
      column.chosen ??
      (column.isNumber ? column.natural : Math.min(column.natural, MAX_TEXT_WIDTH)),
  );
  const sum = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0);
  const texts = wanted.filter((_, number) => isText(columns[number] as ColumnSize));
  const fixed = sum(wanted) - sum(texts);
  const limit = textLimit(texts, available - fixed);
  const widths = wanted.map((width, number) =>
    isText(columns[number] as ColumnSize)
      ? Math.min(width, Math.max(limit, number === 0 ? MIN_NAME_WIDTH : MIN_TEXT_WIDTH))
      : width,
  );
  const spare = available - sum(widths);
  if (spare < 0) return endingAtEdge(widths, columns, available);
  const flexible = sum(widths.filter((_, number) => columns[number]?.chosen === null));
  if (spare <= 0 || flexible === 0) return widths;
  return widths.map((width, number) =>
    columns[number]?.chosen === null ? width + (spare * width) / flexible : width,
  );
}
