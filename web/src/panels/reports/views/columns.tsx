/** Columns of described tables. */

import type {
  CellKind,
  CellOf,
  ColumnDescription,
  DescribedTable,
  Distribution,
  Row,
} from "../../../session/reports";
import { countText, decimalText, durationText, shareText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { EventLink } from "../../EventLink";
import type { Fact } from "../../FactList";
import type { CellValue, Column } from "../../table/column";
import { Share } from "../../table/Share";
import { IntervalLink, LongestLink, NameLink } from "./links";
import { StateBar } from "./StateBar";

const MISSING = <span class="muted">–</span>;

/** A column and its place in the rows. */
interface PlacedColumn {
  column: ColumnDescription;
  at: number;
}

const isDistribution = ({ column }: PlacedColumn) => column.kind === "distribution";

function placed({ columns }: DescribedTable): PlacedColumn[] {
  return columns.map((column, at) => ({ column, at }));
}

/** Whether a cell names the row. */
const isName = ({ kind }: ColumnDescription) =>
  kind === "text" || kind === "link" || kind === "thread" || kind === "address";

/** The value of a cell to sort by, to copy, and to show where nothing else is. */
function cellValue({ kind, missing }: ColumnDescription, cell: Row[number] | undefined): CellValue {
  if (cell === null || cell === undefined) return missing === "" ? null : missing;
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell !== "object") return cell;
  switch (kind) {
    case "link":
      return (cell as CellOf["link"]).text;
    case "event":
      return (cell as CellOf["event"]).event;
    case "interval":
      return (cell as CellOf["interval"]).start;
    case "shares":
      return (cell as CellOf["shares"]).map(([name, ticks]) => `${name} ${ticks}`).join(", ");
    default:
      return null;
  }
}

/** A duration; in ticks without a clock. */
function ticksCellText(trace: TraceState, ticks: number): string {
  const clock = shownClock(trace);
  return clock === null ? countText(ticks) : durationText(ticks, clock);
}

/** A duration, with a link to an event if there is one. */
export function durationCell(
  trace: TraceState,
  ticks: number | null | undefined,
  event?: number | null,
) {
  if (ticks === null || ticks === undefined) return MISSING;
  const text = ticksCellText(trace, ticks);
  if (event === null || event === undefined) return text;
  return (
    <EventLink trace={trace} event={event}>
      {text}
    </EventLink>
  );
}

/** A figure as text. */
function figureText(trace: TraceState, description: ColumnDescription, row: Row, at: number) {
  const value = cellValue(description, row[at]);
  if (typeof value !== "number") return `${value ?? "–"}`;
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

/** The figures of a list, without its distributions. */
export function figuresOf(trace: TraceState, table: DescribedTable): Fact[] {
  const [row = []] = table.rows;
  return placed(table)
    .filter((one) => !isDistribution(one))
    .map(({ column, at }) => [column.label, figureText(trace, column, row, at)]);
}

/** How a cell is shown, if not as its value. */
type Renderers = {
  [K in CellKind]?: (trace: TraceState, cell: CellOf[K], column: ColumnDescription) => unknown;
};

const RENDERERS: Renderers = {
  link: (trace, link) => <NameLink trace={trace} link={link} />,
  decimal: (_, value) => decimalText(value),
  duration: (trace, ticks) => durationCell(trace, ticks),
  interval: (trace, interval) => <IntervalLink trace={trace} interval={interval} />,
  shares: (trace, shares) => <StateBar trace={trace} shares={shares} />,
  percent: (_, percent, { warns }) => <Share percent={percent} warns={warns} />,
  event: (trace, { event }) => <EventLink trace={trace} event={event} />,
};

/** A column; numbers are right-aligned. */
function columnOf(trace: TraceState, { column, at }: PlacedColumn): Column<Row> {
  const { label: title, kind, unit, hint } = column;
  const value = (row: Row) => cellValue(column, row[at]);
  const explained = [hint, unit && `in ${unit}`].filter(Boolean).join("; ");
  const shown: Column<Row> = {
    title,
    value,
    isNumber: !isName(column) && kind !== "flag" && kind !== "shares",
    ...(explained === "" ? {} : { hint: explained }),
  };
  const render = RENDERERS[kind] as
    | ((trace: TraceState, cell: Row[number], column: ColumnDescription) => never)
    | undefined;
  if (render === undefined) return shown;
  const show = (row: Row) => {
    const cell = row[at] ?? null;
    return cell === null ? (value(row) ?? MISSING) : render(trace, cell, column);
  };
  return { ...shown, show: show as NonNullable<Column<Row>["show"]> };
}

/** The columns of a table that are not distributions. */
export function columnsOf(trace: TraceState, table: DescribedTable): Column<Row>[] {
  return placed(table)
    .filter((one) => !isDistribution(one))
    .map((one) => columnOf(trace, one));
}

/** The first columns, which name a row. */
export function nameColumns(trace: TraceState, table: DescribedTable): Column<Row>[] {
  const count = table.columns.findIndex((column) => !isName(column));
  return columnsOf(trace, table).slice(0, Math.max(count, 1));
}

/** The name of a row: its first cell. */
export function nameOf({ columns: [first] }: DescribedTable, row: Row): string {
  return first === undefined ? "" : `${cellValue(first, row[0]) ?? ""}`;
}

/** A distribution of a table's rows. */
export interface Measure {
  title: string;
  hint: string;
  of: (row: Row) => Distribution | null;
}

/** The distributions of a table. */
export function measuresOf(table: DescribedTable): Measure[] {
  return placed(table)
    .filter(isDistribution)
    .map(({ column: { label: title, hint }, at }) => ({
      title,
      hint,
      of: (row) => (row[at] ?? null) as Distribution | null,
    }));
}

/** All columns, for a copy of a table. */
export function allColumns(trace: TraceState, table: DescribedTable): Column<Row>[] {
  const measures = measuresOf(table).flatMap(({ title: measure, of }) =>
    distribution(trace, of).map((column) => ({ ...column, title: `${measure}: ${column.title}` })),
  );
  return [...columnsOf(trace, table), ...measures];
}

/** The maximum of a distribution, with a link to its interval or at least to its end. */
function longestCell(trace: TraceState, of: Distribution | null) {
  if (of?.longest == null) return durationCell(trace, of?.max, of?.event);
  return (
    <LongestLink trace={trace} event={of.event} interval={of.longest}>
      {ticksCellText(trace, of.max)}
    </LongestLink>
  );
}

/** Columns of a distribution of durations; the maximum links to its interval. */
export function distribution<R>(
  trace: TraceState,
  of: (row: R) => Distribution | null,
): Column<R>[] {
  const part = (title: string, key: "p99" | "p90" | "p50" | "mean" | "min"): Column<R> => ({
    title,
    value: (row) => of(row)?.[key],
    isNumber: true,
    show: (row) => durationCell(trace, of(row)?.[key]),
  });
  return [
    // The most important column comes first: a narrow panel shows no more.
    {
      title: "Max",
      value: (row) => of(row)?.max,
      isNumber: true,
      show: (row) => longestCell(trace, of(row)),
    },
    part("99 %", "p99"),
    part("90 %", "p90"),
    part("50 %", "p50"),
    part("Mean", "mean"),
    part("Min", "min"),
    { title: "Count", value: (row) => of(row)?.count, isNumber: true },
  ];
}
