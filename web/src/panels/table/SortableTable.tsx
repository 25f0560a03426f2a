/** A table that can be sorted by its column headers and copied as CSV. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { copyText } from "../../shell/clipboard";
import { Button, set } from "../../shell/controls";
import { Icon } from "../../shell/Icon";
import { countText, plural } from "../../state/format";
import { ColumnGrip } from "./ColumnGrip";
import {
  type Column,
  isMissing,
  isNumeric,
  nextSorting,
  sortRows,
  type TableSorting,
} from "./column";
import { chosenWidths } from "./stored-widths";
import { csv } from "./table-text";
import { useColumnWidths } from "./useColumnWidths";
import "./table.css";

interface SortableTableProps<R> {
  label: string;
  /** Name under which column widths are stored; the label by default. */
  widthsKey?: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  initial?: TableSorting;
  /** Text shown if there are no rows. */
  empty?: string;
}

/** Maximum number of rows shown initially. */
const MAX_INITIAL_ROWS = 200;

export function SortableTable<R>(props: SortableTableProps<R>) {
  if (props.rows.length === 0) return <p class="nothing">{props.empty ?? "No rows."}</p>;
  return <TableWithRows {...props} />;
}

function TableWithRows<R>({
  label,
  widthsKey = label,
  columns,
  rows,
  initial,
}: SortableTableProps<R>) {
  const sorting = useSignal<TableSorting | null>(initial ?? null);
  const showsAll = useSignal(false);
  const showsEmpty = useSignal(false);
  const table = useRef<HTMLTableElement>(null);
  const by = sorting.value;
  const ordered = sortRows(rows, columns, by);
  const shown = showsAll.value ? ordered : ordered.slice(0, MAX_INITIAL_ROWS);
  const all = columns.map((column, number) => ({ ...column, number }));
  const filled = all.filter(({ value }) => rows.some((row) => !isMissing(value(row))));
  const empty = all.length - filled.length;
  const placed = showsEmpty.value ? all : filled;
  const figures = placed.map((column) => isNumeric(column, rows));
  const chosen = chosenWidths(widthsKey);
  const { widths, fitting } = useColumnWidths(
    table,
    figures,
    placed.map(({ title }) => chosen[title]),
    [columns, rows, by, showsAll.value, showsEmpty.value],
  );
  const total = widths.reduce((sum, width) => sum + width, 0);
  return (
    <div class="table-place">
      <div class="table-scroller">
        <table
          class={`table ${total > 0 ? "laid-out" : ""}`}
          aria-label={label}
          ref={table}
          style={{ "--width": `${total}px` }}
        >
          <colgroup>
            {placed.map(({ title }, at) => (
              <col key={title} style={{ "--width": `${widths[at]}px` }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {placed.map(({ title, hint, number }, at) => {
                const isBy = by?.column === number;
                const order = !isBy ? "none" : by.descending ? "descending" : "ascending";
                return (
                  <th
                    key={title}
                    scope="col"
                    aria-label={title}
                    aria-sort={order}
                    class={figures[at] ? "number" : ""}
                  >
                    <Button
                      class="plain"
                      title={hint ?? `Sort by ${title}`}
                      onClick={set(sorting, nextSorting(by, number, figures[at] ?? false))}
                    >
                      <span>{title}</span>
                      <span class="arrow" aria-hidden="true">
                        {isBy ? (by.descending ? "▾" : "▴") : ""}
                      </span>
                    </Button>
                    <ColumnGrip
                      table={widthsKey}
                      title={title}
                      chosen={chosen[title]}
                      fitting={() => fitting(at)}
                    />
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, number) => (
              <tr key={number}>
                {placed.map((column, at) => (
                  <Cell key={column.title} column={column} row={row} isNumber={figures[at]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="table-foot">
        {shown.length < rows.length && (
          <Button class="link" onClick={set(showsAll, true)}>
            Show all {countText(rows.length)} rows
          </Button>
        )}
        {empty > 0 && (
          <Button class="link" onClick={set(showsEmpty, !showsEmpty.value)}>
            {showsEmpty.value ? "Hide" : "Show"} {plural(empty, "empty column")}
          </Button>
        )}
        <Button
          class="plain"
          aria-label={`Copy ${label} as CSV`}
          title="Copy as CSV"
          onClick={() => void copyText(csv(columns, ordered), "Copied as CSV.")}
        >
          <Icon name="copy" /> CSV
        </Button>
      </div>
    </div>
  );
}

interface CellProps<R> {
  column: Column<R>;
  row: R;
  isNumber: boolean | undefined;
}

function Cell<R>({ column, row, isNumber }: CellProps<R>) {
  const value = column.value(row);
  const isAbsent = isMissing(value);
  const text =
    typeof value === "number" && Number.isInteger(value) ? countText(value) : String(value);
  return (
    <td class={isNumber ? "number" : ""} title={isNumber || isAbsent ? undefined : text}>
      {column.show ? column.show(row) : isAbsent ? <span class="muted">–</span> : text}
    </td>
  );
}
