/** Completion of SQL: tables, columns, functions and keywords. */

import type { SqlCatalogue } from "../../session/sql";

/** A name that completes a word. */
export interface Completion {
  text: string;
  kind: "table" | "view" | "column" | "function" | "keyword";
  about: string;
}

/** What can complete the word before the caret. */
export interface Completions {
  /** Start of the word. */
  start: number;
  items: Completion[];
}

const MAX_ITEMS = 50;

/** The word before the caret, and the name and dot before it. */
const WORD = /(?:\b([a-z_]\w*)\.)?("?[a-z_]\w*|"?)$/i;

/** A table after FROM or JOIN, and its alias. */
const TABLE = /\b(?:from|join|,)\s+([a-z_]\w*)(?:\s+(?:as\s+)?([a-z_]\w*))?/gi;

/** The only column with the name of a keyword. */
const quoted = (name: string) => (name === "end" ? `"${name}"` : name);

/** Tables of a statement by the names that qualify their columns. */
function tablesIn(
  sql: string,
  { tables }: SqlCatalogue,
): Map<string, SqlCatalogue["tables"][number]> {
  const found = new Map<string, SqlCatalogue["tables"][number]>();
  for (const [, name = "", alias] of sql.matchAll(TABLE)) {
    const table = tables.find((one) => one.name === name.toLowerCase());
    if (table === undefined) continue;
    found.set(table.name, table);
    if (alias !== undefined) found.set(alias.toLowerCase(), table);
  }
  return found;
}

function columnsOf(table: SqlCatalogue["tables"][number]): Completion[] {
  return table.columns.map(({ name, about }) => ({
    text: quoted(name),
    kind: "column",
    about: `${table.name}: ${about}`,
  }));
}

/**
 * Completions of the word before the caret: those that begin with it, then those that contain it.
 * `isAsked` lists all names even if there is no word.
 */
export function completions(
  sql: string,
  caret: number,
  catalogue: SqlCatalogue,
  isAsked = false,
): Completions | null {
  const before = sql.slice(0, caret);
  const [, qualifier, written = ""] = WORD.exec(before) ?? [];
  const word = written.replace('"', "").toLowerCase();
  if (word === "" && qualifier === undefined && !isAsked) return null;
  const used = tablesIn(sql, catalogue);
  const items: Completion[] = [];
  if (qualifier !== undefined) {
    const table = used.get(qualifier.toLowerCase());
    if (table === undefined) return null;
    items.push(...columnsOf(table));
  } else {
    for (const table of new Set(used.values())) items.push(...columnsOf(table));
    for (const { name, is_view, about } of catalogue.tables) {
      items.push({ text: name, kind: is_view ? "view" : "table", about });
    }
    for (const { name, about } of catalogue.functions) {
      items.push({ text: name.replace(/\(.*/, "("), kind: "function", about: `${name}: ${about}` });
    }
    for (const text of catalogue.keywords) items.push({ text, kind: "keyword", about: "" });
  }
  const plain = (text: string) => text.replaceAll('"', "").toLowerCase();
  const rank = ({ text }: Completion) => {
    const at = plain(text).indexOf(word);
    return at < 0 ? 2 : Math.min(at, 1);
  };
  const seen = new Set<string>();
  const matching = items.filter((item) => {
    if (rank(item) > 1 || seen.has(item.text)) return false;
    seen.add(item.text);
    return true;
  });
  // A complete word needs no completion.
  if (!isAsked && matching.some(({ text }) => plain(text) === word)) return null;
  const ordered = [0, 1].flatMap((level) => matching.filter((item) => rank(item) === level));
  return ordered.length === 0
    ? null
    : { start: caret - written.length, items: ordered.slice(0, MAX_ITEMS) };
}

/** Text and caret after a completion. */
export function complete(
  sql: string,
  caret: number,
  start: number,
  text: string,
): { sql: string; caret: number } {
  return { sql: sql.slice(0, start) + text + sql.slice(caret), caret: start + text.length };
}
