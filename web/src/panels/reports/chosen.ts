/** Which report is shown, and of which part of the trace. */

import { forEachTrace } from "../../state/each";
import type { TraceState } from "../../state/trace";
import type { ReportKind } from "./kinds";

/** What a report is about. */
export interface Choice {
  kind: ReportKind;
  part: "whole" | "visible" | "range";
  core: number | null;
  /** Only these threads, by the numbers of their contexts; all if it is empty. */
  threads: readonly number[];
  /** Of the services: only those of this context. */
  context: number | null;
}

/** The choice. */
export const choice = forEachTrace<Choice>(() => ({
  kind: "findings",
  part: "whole",
  core: null,
  threads: [],
  context: null,
}));

/** Changes a part of the choice. */
export function choose(trace: TraceState, changes: Partial<Choice>): void {
  const chosen = choice(trace);
  chosen.value = { ...chosen.peek(), ...changes };
}

/** Shows a report. */
export function showReport(trace: TraceState, kind: ReportKind): void {
  choose(trace, { kind });
}
