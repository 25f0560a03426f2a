/** Reports in menu order. */

import { REPORTS } from "../../session/reports";
import type { Overview } from "../../session/wire";

/** Name of a report. */
export type ReportKind = (typeof REPORTS)[number]["kind"];

/** The findings and the reports available for a trace, by their names in queries. */
export function reportsOf({ reports }: Overview): (typeof REPORTS)[number][] {
  return REPORTS.filter(({ kind }) => kind === "findings" || reports.includes(kind));
}

/** Whether a report with this name exists. */
export function isReport(name: string): name is ReportKind {
  return REPORTS.some(({ kind }) => kind === name);
}
