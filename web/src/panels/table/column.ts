/** Columns and sorting of tables. */

import type { ComponentChildren } from "preact";
import { compareNames } from "../../state/format";

/** A value to sort by and to copy. */
export type CellValue = string | number | boolean | null | undefined;

/** A column of a table. */
export interface Column<R> {
  title: string;
  /** Tooltip of the title. */
  hint?: string;
  value: (row: R) => CellValue;
  /** Renders a cell; the value itself by default. */
  show?: (row: R) => ComponentChildren;
  /** Whether cells are numbers; by default, the type of the first value decides. */
  isNumber?: boolean;
}

/** Sort column and direction. */
export interface TableSorting {
  column: number;
  descending: boolean;
}

function compare(one: CellValue, other: CellValue): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return compareNames(String(one), String(other));
}

export const isMissing = (value: CellValue) =>
  value === null || value === undefined || Number.isNaN(value);

/** Sorts rows by a column. Missing values come last in either direction. */
export function sortRows<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  by: TableSorting | null,
): R[] {
  const column = by && columns[by.column];
  if (!by || !column) return [...rows];
  const keyed = rows.map((row) => ({ row, value: column.value(row) }));
  const turn = by.descending ? -1 : 1;
  keyed.sort((one, other) => {
    const [first, second] = [isMissing(one.value), isMissing(other.value)];
    if (first || second) return Number(first) - Number(second);
    return compare(one.value, other.value) * turn;
  });
  return keyed.map(({ row }) => row);
}

/** Sorting after a click on a column: numbers start with the largest, the third click resets. */
export function nextSorting(
  now: TableSorting | null,
  column: number,
  isNumber: boolean,
): TableSorting | null {
  if (now?.column !== column) return { column, descending: isNumber };
  return now.descending === isNumber ? { column, descending: !isNumber } : null;
}

/** Whether the cells of a column are numbers. */
export function isNumeric<R>(column: Column<R>, rows: readonly R[]): boolean {
  if (column.isNumber !== undefined) return column.isNumber;
  const values = rows.map(column.value);
  return typeof values.find((value) => !isMissing(value)) === "number";
}
