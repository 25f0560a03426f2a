/** Widths of columns that the user chose. */

import { settings } from "../../state/settings";
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from "./column-layout";

/** Maximum number of tables whose widths are stored. */
const MAX_TABLES = 60;

/** Chosen widths of a table in pixels, by the title of the column. */
export function chosenWidths(table: string): Record<string, number> {
  const stored: unknown = settings.columnWidths.value[table];
  if (typeof stored !== "object" || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter(([, width]) => typeof width === "number"),
  ) as Record<string, number>;
}

/** Stores the width of a column; `null` returns to the automatic width. */
export function chooseWidth(table: string, column: string, width: number | null): void {
  const { [column]: _, ...kept } = chosenWidths(table);
  const widths =
    width === null
      ? kept
      : {
          ...kept,
          [column]: Math.round(Math.max(MIN_COLUMN_WIDTH, Math.min(width, MAX_COLUMN_WIDTH))),
        };
  const { [table]: __, ...others } = settings.columnWidths.peek();
  const recent = Object.entries(others).slice(1 - MAX_TABLES);
  settings.columnWidths.value = Object.fromEntries(
    Object.keys(widths).length === 0 ? recent : [...recent, [table, widths]],
  );
}
