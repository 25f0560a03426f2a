/** Selection of the report and its scope. */

import { perTrace } from "../../state/per-trace";
import type { TraceState } from "../../state/trace";
import type { ReportKind } from "./kinds";

/** Report and scope. */
export interface Choice {
  kind: ReportKind;
  part: "whole" | "visible" | "range";
  core: number | null;
  /** Context numbers of the threads to include; all if empty. */
  threads: readonly number[];
  /** For services: only those of this context. */
  context: number | null;
}

/** Current selection. */
export const choice = perTrace<Choice>(() => ({
  kind: "findings",
  part: "whole",
  core: null,
  threads: [],
  context: null,
}));

/** Changes a part of the selection. */
export function choose(trace: TraceState, changes: Partial<Choice>): void {
  const chosen = choice(trace);
  chosen.value = { ...chosen.peek(), ...changes };
}

/** Shows a report. */
export function showReport(trace: TraceState, kind: ReportKind): void {
  choose(trace, { kind });
}
