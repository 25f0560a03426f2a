/** The places of the rows of a result: a lane of the timeline, and where a row leads to. */

import type { SqlColumn, SqlResult } from "../../session/sql";
import type { ResultLane } from "../../state/result-lane";

/** A value of a result. */
export type SqlValue = SqlResult["rows"][number][number];

/** Numbers of the columns that place a row; -1 if there is none. */
interface PlaceColumns {
  start: number;
  end: number;
  duration: number;
  event: number;
}

/** Where a row is: an event, or times in ticks. */
export interface RowPlace {
  event: number | null;
  start: number | null;
  end: number | null;
}

function placeColumns(columns: readonly SqlColumn[]): PlaceColumns {
  const find = (matches: (name: string) => boolean) =>
    columns.findIndex(({ name, is_number }) => is_number && matches(name));
  const named = (name: string) => find((other) => other === name);
  const first = (...names: string[]) => names.map(named).find((at) => at >= 0) ?? -1;
  const event = named("event");
  return {
    start: first("start", "time"),
    end: named("end"),
    duration: named("duration"),
    event: event >= 0 ? event : find((name) => name.endsWith("_event")),
  };
}

/** A number; `null` if there is none. A number beyond 2^53 is a text. */
function numberAt(row: readonly SqlValue[], column: number): number | null {
  const value = row[column];
  if (value === null || value === undefined || typeof value === "boolean") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function placeOf(row: readonly SqlValue[], columns: PlaceColumns): RowPlace {
  const start = numberAt(row, columns.start);
  const duration = numberAt(row, columns.duration);
  const end =
    numberAt(row, columns.end) ?? (start === null || duration === null ? null : start + duration);
  return { event: numberAt(row, columns.event), start, end };
}

/** Where each row leads to; `null` if no column says so. */
export function placeOfRows({
  columns,
}: SqlResult): ((row: readonly SqlValue[]) => RowPlace) | null {
  const found = placeColumns(columns);
  if (found.start < 0 && found.event < 0) return null;
  return (row) => placeOf(row, found);
}

/** The first text of a row names its interval. */
function labelColumn(columns: readonly SqlColumn[]): number {
  const isName = ({ name, is_number }: SqlColumn) =>
    !is_number && name !== "file" && name !== "recording_id";
  return columns.findIndex(isName);
}

/** The lane of a result; `null` if it has no column of times. */
export function laneOf(result: SqlResult): ResultLane | null {
  const columns = placeColumns(result.columns);
  if (columns.start < 0) return null;
  const label = labelColumn(result.columns);
  const placed = result.rows
    .map((row) => ({ ...placeOf(row, columns), row }))
    .flatMap(({ start, end, event, row }) =>
      start === null ? [] : [{ start, end: Math.max(end ?? start, start), event, row }],
    )
    .sort((one, other) => one.start - other.start);
  const events = placed.every(({ event }) => event !== null)
    ? Float64Array.from(placed, ({ event }) => event ?? 0)
    : null;
  return {
    starts: Float64Array.from(placed, ({ start }) => start),
    ends: Float64Array.from(placed, ({ end }) => end),
    events,
    labels: placed.map(({ row }) => String(row[label] ?? "")),
    columns: result.columns.map(({ name }) => name),
    rows: placed.map(({ row }) => row),
    longest: placed.reduce((most, { start, end }) => Math.max(most, end - start), 0),
  };
}
