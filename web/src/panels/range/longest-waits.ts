/** The longest waits of threads, from the report on latencies. */

import type { DescribedTable, ReportTables } from "../../session/reports";

const PATH = /^latency\.threads\.\d+\.waited$/;

/** The waits of all threads in one table; `null` if there are none. */
export function longestWaits({ tables }: ReportTables): DescribedTable | null {
  const waits = tables.filter(({ path }) => PATH.test(path));
  const [first] = waits;
  if (first === undefined) return null;
  const { of: _, ...table } = first;
  const thread = { label: "Thread", kind: "text", unit: "", hint: "", missing: "" } as const;
  return {
    ...table,
    title: "Longest waits",
    columns: [{ ...thread, key: "thread", warns: null }, ...table.columns],
    rows: waits.flatMap(({ of: name, rows }) => rows.map((row) => [name ?? null, ...row])),
  };
}
