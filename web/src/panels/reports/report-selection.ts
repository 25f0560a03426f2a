/** Selection of the report and its scope. */

import { perTrace } from "../../state/per-trace";
import { settings } from "../../state/settings";
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
  /** For cycles: what they begin with; `null` for the most regular. */
  anchor: string | null;
}

/** The findings of the whole trace. */
export const WHOLE_FINDINGS: ReportSelection = {
  kind: "findings",
  scope: "whole",
  core: null,
  threads: [],
  context: null,
  anchor: null,
};

/** Current selection. */
export const reportSelection = perTrace(() => WHOLE_FINDINGS);

/** Changes a part of the selection. */
export function selectReport(trace: TraceState, changes: Partial<ReportSelection>): void {
  const chosen = reportSelection(trace);
  chosen.value = { ...chosen.peek(), ...changes };
}

/** Opens the panel with a report. */
export function openReport(trace: TraceState, changes: Partial<ReportSelection>): void {
  selectReport(trace, changes);
  settings.sidePanel.value = "reports";
}

/** Opens the panel with the figures of the selected range, unless a report on it is open. */
export function showRange(trace: TraceState): void {
  const isReported =
    settings.sidePanel.peek() === "reports" && reportSelection(trace).peek().scope === "range";
  if (!isReported) settings.sidePanel.value = "range";
}
