/** Figures of the summary of a recording. */

import type { ProfileRow } from "../../session/reports";

/** Contexts that use a core. */
const isBusy = ({ kind }: ProfileRow) => kind !== "idle" && kind !== "unknown";

const percentOf = (rows: readonly ProfileRow[]): number | null =>
  rows.some(({ percent }) => percent === null)
    ? null
    : rows.reduce((sum, { percent }) => sum + (percent ?? 0), 0);

/** CPU load of all cores in percent; `null` if no time is known. */
export function loadPercent(rows: readonly ProfileRow[]): number | null {
  const isKnown = rows.some(({ kind, duration }) => kind !== "unknown" && duration > 0);
  return isKnown ? percentOf(rows.filter(isBusy)) : null;
}

/** Share of the time with an unknown context in percent. */
export function unknownPercent(rows: readonly ProfileRow[]): number | null {
  return percentOf(rows.filter(({ kind }) => kind === "unknown"));
}

/** Contexts with the most CPU time, the share of the others, and idle time. */
export interface CpuUsers {
  top: ProfileRow[];
  others: { count: number; percent: number };
  idle: ProfileRow | undefined;
}

/** Contexts with the most CPU time. Unknown time is no use. */
export function cpuUsers(rows: readonly ProfileRow[], max: number): CpuUsers {
  const used = rows.filter((row) => isBusy(row) && row.duration > 0);
  const sorted = used.toSorted((one, other) => other.duration - one.duration);
  const others = sorted.slice(max);
  return {
    top: sorted.slice(0, max),
    others: { count: others.length, percent: percentOf(others) ?? 0 },
    idle: rows.find(({ kind, duration }) => kind === "idle" && duration > 0),
  };
}
