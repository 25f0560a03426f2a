/** Suggestions while a filter is typed: names of the trace, and fields. */

import type { Context, Overview } from "../../session/wire";
import { quoteName } from "./compose-filter";

/** A completed filter, and what its last word names. */
export interface Suggestion {
  filter: string;
  label: string;
}

type Names = Pick<Overview, "kinds" | "contexts" | "objects">;

const MAX_SUGGESTIONS = 12;

const FIELDS = ["kind", "context", "object", "class", "component", "time", "priority", "core"];

/** The last word or unfinished quoted text, with what precedes it. */
const LAST_WORD = /^(.*?)(?:"([^"]*)|([^\s"()<>=!~&|,]*))$/s;

/** A name without quotes, if the language needs none. */
const PLAIN = /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u;
const RESERVED = /^(and|or|not|in)$/i;

/** The name of a context in filters: those without a name of their own go by their kind. */
export function filterName({ kind, name }: Pick<Context, "kind" | "name">): string {
  return kind === "thread" || kind === "active-object" ? name : kind;
}

function written(name: string): string {
  return PLAIN.test(name) && !RESERVED.test(name) ? name : quoteName(name);
}

/** Completions of the last word of a filter, those that begin with it first. */
export function suggestions(filter: string, { kinds, contexts, objects }: Names): Suggestion[] {
  const [, before = "", quoted, plain = ""] = LAST_WORD.exec(filter) ?? [];
  const word = (quoted ?? plain).toLowerCase();
  if (word.length < 2) return [];
  // After an operator, a value follows: no field.
  const fields = quoted === undefined && !/[=~<>&]\s*$/.test(before) ? FIELDS : [];
  const found = new Map<string, string>();
  const add = (name: string, label: string) => {
    if (name.toLowerCase().includes(word) && !found.has(name)) found.set(name, label);
  };
  for (const name of fields) add(name, "field");
  for (const { name } of kinds) add(name, "event");
  for (const context of contexts) add(filterName(context), context.kind);
  for (const { name, class: of } of objects) add(name, of);
  const ranked = [...found].map(([name, label]) => ({
    name,
    label,
    rank: name.toLowerCase().startsWith(word) ? 0 : 1,
  }));
  ranked.sort((a, b) => a.rank - b.rank);
  return ranked.slice(0, MAX_SUGGESTIONS).map(({ name, label }) => ({
    filter: label === "field" ? `${before}${name} ` : `${before}${written(name)}`,
    label,
  }));
}
