/** The rows of a result: only visible ones are rendered. */

import { type Signal, useSignal } from "@preact/signals";
import { useId, useMemo, useRef } from "preact/hooks";
import type { SqlResult } from "../../session/sql";
import { Button, set } from "../../shell/controls";
import { countText, decimalText, grouped } from "../../state/format";
import { goToEvent, goToTime, showTime } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { useScroll } from "../events/useScroll";
import { nextSorting, sortRows, type TableSorting } from "../table/column";
import { placeOfRows, type RowPlace, type SqlValue } from "./lane-of-result";

type SqlColumn = SqlResult["columns"][number];

interface ResultTableProps {
  trace: TraceState;
  result: SqlResult;
  sorting: Signal<TableSorting | null>;
}

/** As in sql.css. */
const ROW_HEIGHT = 22;
const HEAD_HEIGHT = 25;

/** Widths of columns, in characters, and the number of rows that determine them. */
const MIN_WIDTH = 5;
const MAX_WIDTH = 44;
const MEASURED_ROWS = 200;

/** Whether a column has percentages. */
const isPercent = (name: string) => name === "percent" || name.endsWith("_percent");

/** The text of a value, with digits in groups. */
function valueText(value: SqlValue | undefined, { name, is_number: isNumber }: SqlColumn): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && isPercent(name)) return decimalText(value);
  if (typeof value === "number" && Number.isInteger(value)) return countText(value);
  if (typeof value === "number" && Math.abs(value) < 1e15) return grouped(`${value}`);
  if (isNumber && typeof value === "string" && /^-?\d+$/.test(value)) {
    return countText(BigInt(value));
  }
  return String(value);
}

/** Rows in the order of the table. */
export function sortedRows(result: SqlResult, sorting: TableSorting | null): SqlResult["rows"] {
  const columns = result.columns.map(({ name, is_number }, number) => ({
    title: name,
    value: (row: readonly SqlValue[]) => {
      const value = row[number];
      return is_number && typeof value === "string" ? Number(value) : value;
    },
  }));
  return sortRows(result.rows, columns, sorting);
}

/** Goes to the place of a row. */
async function goToRow(trace: TraceState, { event, start, end }: RowPlace): Promise<void> {
  if (event !== null) await goToEvent(trace, event);
  else if (start !== null) await goToTime(trace, start);
  if (start !== null && end !== null && end > start) await showTime(trace, start, end);
}

export function ResultTable({ trace, result, sorting }: ResultTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  /** The row that was chosen last; -1 if none was. */
  const active = useSignal(-1);
  const id = useId();
  const { columns } = result;
  const by = sorting.value;
  const rows = useMemo(() => sortedRows(result, by), [result, by]);
  const placeOf = useMemo(() => placeOfRows(result), [result]);
  const widths = useMemo(
    () =>
      columns.map((column, number) => {
        // Numbers are never cut.
        const texts = column.is_number ? result.rows : result.rows.slice(0, MEASURED_ROWS);
        const longest = texts.reduce(
          (most, row) => Math.max(most, valueText(row[number], column).length),
          column.name.length + 2,
        );
        return `${Math.min(Math.max(longest, MIN_WIDTH), MAX_WIDTH) + 1}ch`;
      }),
    [result],
  );
  const scroll = useScroll(scroller, rows.length, ROW_HEIGHT, HEAD_HEIGHT);
  const { first, extent, from, to, show, onScroll } = scroll;
  const choose = (number: number) => {
    active.value = number;
    show(number);
    const row = rows[number];
    if (row !== undefined && placeOf !== null) void goToRow(trace, placeOf(row));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = scroll.rowFor(event, active.peek());
    if (row === null || event.target !== scroller.current) return;
    event.preventDefault();
    choose(row);
  };
  const template = { "--columns": widths.join(" ") };
  return (
    <div
      class="sql-rows"
      ref={scroller}
      role="grid"
      aria-label="Result"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active.value >= 0 ? `${id}-${active.value}` : undefined}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      style={template}
    >
      <div class="sql-row head" role="row" aria-rowindex={1} tabIndex={-1}>
        {columns.map(({ name, is_number }, number) => {
          const isBy = by?.column === number;
          return (
            <span
              key={name}
              role="columnheader"
              tabIndex={-1}
              class={is_number ? "number" : ""}
              aria-sort={!isBy ? "none" : by.descending ? "descending" : "ascending"}
            >
              <Button
                class="plain"
                title={`Sort by ${name}`}
                onClick={set(sorting, nextSorting(by, number, is_number))}
              >
                {name}
                <span aria-hidden="true">{isBy ? (by.descending ? " ▾" : " ▴") : ""}</span>
              </Button>
            </span>
          );
        })}
      </div>
      <div class="sql-height" role="presentation" style={{ height: `${extent.height}px` }}>
        <div class="sql-visible" role="rowgroup" style={{ height: `${extent.viewHeight}px` }}>
          {rows.slice(from, to).map((row, at) => {
            const number = from + at;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
              <div
                key={number}
                id={`${id}-${number}`}
                class={`virtual-row sql-row${number % 2 === 1 ? " odd" : ""}${placeOf === null ? "" : " link-row"}`}
                role="row"
                tabIndex={-1}
                aria-rowindex={number + 2}
                aria-selected={number === active.value}
                style={{ transform: `translateY(${(number - first) * ROW_HEIGHT}px)` }}
                onClick={() => choose(number)}
              >
                {columns.map((column, place) => {
                  const { name, is_number } = column;
                  const value = row[place];
                  const text = valueText(value, column);
                  return (
                    <span
                      key={name}
                      role="gridcell"
                      tabIndex={-1}
                      class={is_number ? "number" : ""}
                      title={text.length > MAX_WIDTH ? text : undefined}
                    >
                      {value === null ? <span class="muted">–</span> : text}
                    </span>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
