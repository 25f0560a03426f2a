/** A table that can be sorted by its column headers and copied as CSV. */

import { useSignal } from "@preact/signals";
import { Icon } from "../../shell/Icon";
import { countText } from "../../state/format";
import { notice, showError } from "../../state/viewer";
import { type Column, isNumeric, nextSorting, sortRows, type TableSorting } from "./column";
import { csv } from "./csv";
import "./table.css";

interface SortableTableProps<R> {
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  initial?: TableSorting;
  /** Text shown if there are no rows. */
  empty?: string;
}

/** Maximum number of rows shown initially. */
const MAX_INITIAL_ROWS = 200;

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice.value = "Copied as CSV.";
  } catch (error) {
    showError(error);
  }
}

export function SortableTable<R>({ label, columns, rows, initial, empty }: SortableTableProps<R>) {
  const sorting = useSignal<TableSorting | null>(initial ?? null);
  const showsAll = useSignal(false);
  if (rows.length === 0) return <p class="nothing">{empty ?? "No rows."}</p>;
  const by = sorting.value;
  const ordered = sortRows(rows, columns, by);
  const shown = showsAll.value ? ordered : ordered.slice(0, MAX_INITIAL_ROWS);
  const figures = columns.map((column) => isNumeric(column, rows));
  return (
    <div class="table-place">
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, hint }, number) => {
              const isBy = by?.column === number;
              const order = !isBy ? "none" : by.descending ? "descending" : "ascending";
              return (
                <th
                  key={title}
                  scope="col"
                  aria-sort={order}
                  class={figures[number] ? "number" : ""}
                >
                  <button
                    type="button"
                    class="plain"
                    title={hint ?? `Sort by ${title}`}
                    onClick={() => {
                      sorting.value = nextSorting(by, number, figures[number] ?? false);
                    }}
                  >
                    {title}
                    <span class="arrow" aria-hidden="true">
                      {isBy ? (by.descending ? "▾" : "▴") : ""}
                    </span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, number) => (
            <tr key={number}>
              {columns.map((column, at) => {
                const value = column.value(row);
                const missing = value === null || value === undefined;
                return (
                  <td key={column.title} class={figures[at] ? "number" : ""}>
                    {column.show ? (
                      column.show(row)
                    ) : missing ? (
                      <span class="muted">–</span>
                    ) : typeof value === "number" && Number.isInteger(value) ? (
                      countText(value)
                    ) : (
                      String(value)
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="table-foot">
        {shown.length < rows.length && (
          <button
            type="button"
            class="link"
            onClick={() => {
              showsAll.value = true;
            }}
          >
            Show all {countText(rows.length)} rows
          </button>
        )}
        <button
          type="button"
          class="plain"
          aria-label={`Copy ${label} as CSV`}
          title="Copy as CSV"
          onClick={() => void copy(csv(columns, ordered))}
        >
          <Icon name="copy" /> CSV
        </button>
      </div>
    </div>
  );
}
