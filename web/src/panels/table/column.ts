/** What a sortable table shows. */

import type { ComponentChildren } from "preact";

/** A value by which rows are sorted, and which is copied. */
export type Value = string | number | boolean | null | undefined;

/** A column of rows of some kind. */
export interface Column<R> {
  title: string;
  /** More about it than its title says. */
  hint?: string;
  value: (row: R) => Value;
  /** How it is shown; the value itself, if it is not given. */
  show?: (row: R) => ComponentChildren;
  /** Whether its cells are figures; if not given, they are if the first value is a number. */
  isNumber?: boolean;
}

/** By which column a table is sorted, and which way. */
export interface Sorting {
  column: number;
  descending: boolean;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compare(one: Value, other: Value): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return collator.compare(String(one), String(other));
}

const isMissing = (value: Value) => value === null || value === undefined || Number.isNaN(value);

/** The rows in the order of a column. What has no value stays behind, whichever way. */
export function sorted<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  by: Sorting | null,
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

/** Sorting after a click on a column: figures start with the largest, the third click ends it. */
export function clicked(now: Sorting | null, column: number, isNumber: boolean): Sorting | null {
  if (now?.column !== column) return { column, descending: isNumber };
  return now.descending === isNumber ? { column, descending: !isNumber } : null;
}

/** Whether the cells of a column are figures. */
export function isFigures<R>(column: Column<R>, rows: readonly R[]): boolean {
  if (column.isNumber !== undefined) return column.isNumber;
  const values = rows.map(column.value);
  return typeof values.find((value) => !isMissing(value)) === "number";
}
