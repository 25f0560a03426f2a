/** Tables as comma-separated values, RFC 4180. */

import type { CellValue, Column } from "./column";

function cell(value: CellValue): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  // A spreadsheet must not interpret a name from a trace as a formula.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines of cells. */
export function csvLines(lines: readonly (readonly CellValue[])[]): string {
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

/** CSV with a header line. */
export function csv<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  return csvLines([
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => value(row))),
  ]);
}
