/** Columns of the reports' tables, as the analysis describes them. */

import {
  type ColumnDescription,
  type Distribution,
  TABLES,
  type TableDescription,
} from "../../../session/reports";
import { countText, decimalText, durationText, shareText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { EventLink } from "../../EventLink";
import type { CellValue, Column } from "../../table/column";
import { Share } from "../../table/Share";
import type { Figure } from "./FigureList";

/** Path of a table in a report document. */
export type TablePath = keyof typeof TABLES;

/** Key of a column. */
export type ColumnKey<P extends TablePath> = (typeof TABLES)[P]["columns"][number]["key"];

/** Changes of a table's columns, by key. */
export type SpecialColumns<R, P extends TablePath> = {
  [K in ColumnKey<P>]?: Partial<Omit<Column<R>, "title">>;
};

/** Description of a table. */
export const tableOf = (path: TablePath): TableDescription => TABLES[path];

/** Label of a column. */
export function labelOf<P extends TablePath>(path: P, key: ColumnKey<P>): string {
  return tableOf(path).columns.find((column) => column.key === key)?.label ?? "";
}

const MISSING = <span class="muted">–</span>;

/** The JSON value at a path such as `endings.failed`. */
function valueAt(row: unknown, key: string): unknown {
  let value = row;
  for (const part of key.split(".")) {
    if (typeof value !== "object" || value === null) return null;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function cellValue(row: unknown, { key, kind, missing }: ColumnDescription): CellValue {
  const value = valueAt(row, key);
  if (Array.isArray(value)) return kind === "text" ? value.join(", ") : value.length;
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "string") return missing;
  return kind === "thread" ? `${value} (${valueAt(row, `${key}_priority`)})` : value;
}

/** A duration, with a link to an event if there is one; in ticks without a clock. */
export function durationCell(
  trace: TraceState,
  ticks: number | null | undefined,
  event?: number | null,
) {
  if (ticks === null || ticks === undefined) return MISSING;
  const clock = shownClock(trace);
  const text = clock === null ? countText(ticks) : durationText(ticks, clock);
  if (event === null || event === undefined) return text;
  return (
    <EventLink trace={trace} event={event}>
      {text}
    </EventLink>
  );
}

/** A figure as text. */
function figureText(trace: TraceState, description: ColumnDescription, row: unknown) {
  const value = cellValue(row, description);
  if (typeof value !== "number") return value === undefined || value === null ? null : `${value}`;
  switch (description.kind) {
    case "duration":
      return durationText(value, shownClock(trace));
    case "percent":
      return shareText(value);
    case "decimal":
      return decimalText(value);
    default:
      return countText(value);
  }
}

/** The figures of a report that has no rows, without its distributions. */
export function reportFigures(trace: TraceState, path: TablePath, row: unknown): Figure[] {
  return tableOf(path)
    .columns.filter(({ kind }) => kind !== "distribution")
    .map((column) => ({ name: column.label, value: figureText(trace, column, row) }));
}

/** A column; numbers are right-aligned. */
function columnOf<R>(trace: TraceState, description: ColumnDescription): Column<R> {
  const { label: title, kind, unit, hint } = description;
  const value = (row: R) => cellValue(row, description);
  const explained = [hint, unit && `in ${unit}`].filter(Boolean).join("; ");
  const column: Column<R> = { title, value, ...(explained === "" ? {} : { hint: explained }) };
  const number = (show: (value: number | null) => ReturnType<typeof durationCell>): Column<R> => ({
    ...column,
    isNumber: true,
    show: (row) => {
      const found = value(row);
      return show(typeof found === "number" ? found : null);
    },
  });
  switch (kind) {
    case "duration":
      return number((ticks) => durationCell(trace, ticks));
    case "percent":
      return number((percent) => <Share percent={percent} />);
    case "decimal":
      return number((figure) => (figure === null ? MISSING : decimalText(figure)));
    case "event":
      return number((event) =>
        event === null ? MISSING : <EventLink trace={trace} event={event} />,
      );
    case "count":
      return { ...column, isNumber: true };
    default:
      return column;
  }
}

/** The columns of a table that are not distributions. */
export function reportColumns<R, P extends TablePath>(
  trace: TraceState,
  path: P,
  special: SpecialColumns<R, P> = {},
): Column<R>[] {
  const changes: Record<string, Partial<Column<R>> | undefined> = special;
  return tableOf(path)
    .columns.filter(({ kind }) => kind !== "distribution")
    .map((column) => ({ ...columnOf<R>(trace, column), ...changes[column.key] }));
}

/** A distribution of a table's rows. */
export interface Measure<R> {
  title: string;
  hint: string | undefined;
  of: (row: R) => Distribution | null;
}

/** The distributions of a table. */
export function measuresOf<R>(path: TablePath): Measure<R>[] {
  return tableOf(path)
    .columns.filter(({ kind }) => kind === "distribution")
    .map(({ key, label: title, hint }) => ({
      title,
      hint,
      of: (row) => (valueAt(row, key) ?? null) as Distribution | null,
    }));
}

/** Columns of a distribution of durations; the maximum links to its end. */
export function distribution<R>(
  trace: TraceState,
  of: (row: R) => Distribution | null,
): Column<R>[] {
  const part = (title: string, key: "max" | "p99" | "p90" | "p50" | "mean" | "min"): Column<R> => ({
    title,
    value: (row) => of(row)?.[key],
    isNumber: true,
    show: (row) => durationCell(trace, of(row)?.[key], key === "max" ? of(row)?.event : null),
  });
  return [
    // The most important column comes first: a narrow panel shows no more.
    part("Max", "max"),
    part("99 %", "p99"),
    part("90 %", "p90"),
    part("50 %", "p50"),
    part("Mean", "mean"),
    part("Min", "min"),
    { title: "Count", value: (row) => of(row)?.count, isNumber: true },
  ];
}
