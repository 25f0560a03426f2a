/** Tables as tab-separated values, which spreadsheets and mails take from the clipboard. */

import type { CellValue, Column } from "./column";

function cell(value: CellValue): string {
  if (value === null || value === undefined) return "";
  const text = String(value).replace(/[\t\r\n]+/g, " ");
  // A spreadsheet must not interpret a name from a trace as a formula.
  return typeof value === "string" && /^[=+\-@]/.test(text) ? `'${text}` : text;
}

/** Lines of cells. */
export function tsvLines(lines: readonly (readonly CellValue[])[]): string {
  return lines.map((line) => `${line.map(cell).join("\t")}\n`).join("");
}

/** A table with a header line. */
export function tsv<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  return tsvLines([
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => value(row))),
  ]);
}
