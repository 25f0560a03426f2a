/** Event kinds by id. */

import type { Kind, Overview } from "../session/wire";

const tables = new WeakMap<Overview, Map<number, Kind>>();

/** Event kind by id, if it occurs in the trace. */
export function kindOf(overview: Overview, id: number): Kind | null {
  let table = tables.get(overview);
  if (!table) {
    table = new Map(overview.kinds.map((kind) => [kind.id, kind]));
    tables.set(overview, table);
  }
  return table.get(id) ?? null;
}
