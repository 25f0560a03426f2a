/** Selection of the report and its scope. */

import { perTrace } from "../../state/per-trace";
import type { TraceState } from "../../state/trace";

/** Report and scope. */
export interface ReportSelection {
  /** Its name in queries. */
  kind: string;
  scope: "whole" | "visible" | "range";
  core: number | null;
  /** Context numbers of the threads to include; all if empty. */
  threads: readonly number[];
  /** For services: only those of this context. */
  context: number | null;
}

/** Current selection. */
export const reportSelection = perTrace<ReportSelection>(() => ({
  kind: "findings",
  scope: "whole",
  core: null,
  threads: [],
  context: null,
}));

/** Changes a part of the selection. */
export function selectReport(trace: TraceState, changes: Partial<ReportSelection>): void {
  const chosen = reportSelection(trace);
  chosen.value = { ...chosen.peek(), ...changes };
}

/** Shows a report. */
export function showReport(trace: TraceState, kind: string): void {
  selectReport(trace, { kind });
}
