/** Event kinds by id. */

import type { EventKind, Overview } from "../session/wire";

const tables = new WeakMap<Overview, Map<number, EventKind>>();

/** Event kind by id, if it occurs in the trace. */
export function eventKind(overview: Overview, id: number): EventKind | null {
  let table = tables.get(overview);
  if (!table) {
    table = new Map(overview.kinds.map((kind) => [kind.id, kind]));
    tables.set(overview, table);
  }
  return table.get(id) ?? null;
}
