/** Tables as text: comma-separated, RFC 4180, and tab-separated, which spreadsheets and mails take from the clipboard. */

import type { CellValue, Column } from "./column";

type Lines = readonly (readonly CellValue[])[];

/** A spreadsheet must not interpret a name from a trace as a formula. */
function plain(value: CellValue, text = String(value ?? "")): string {
  return typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function csvCell(value: CellValue): string {
  const text = plain(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const tsvCell = (value: CellValue) => plain(value, String(value ?? "").replace(/[\t\r\n]+/g, " "));

/** A header line, and a line for each row. */
const linesOf = <R>(columns: readonly Column<R>[], rows: readonly R[]): Lines => [
  columns.map(({ title }) => title),
  ...rows.map((row) => columns.map(({ value }) => value(row))),
];

export const csvLines = (lines: Lines): string =>
  lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");

export const tsvLines = (lines: Lines): string =>
  lines.map((line) => `${line.map(tsvCell).join("\t")}\n`).join("");

export const csv = <R>(columns: readonly Column<R>[], rows: readonly R[]): string =>
  csvLines(linesOf(columns, rows));

export const tsv = <R>(columns: readonly Column<R>[], rows: readonly R[]): string =>
  tsvLines(linesOf(columns, rows));
