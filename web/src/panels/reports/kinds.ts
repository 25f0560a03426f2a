/** The reports, in the order in which they are offered. */

import type { Overview } from "../../session/wire";
import { hasActiveObjects } from "../../state/contexts";

/** The findings, and the parts of the document that are asked for by these names. */
export const REPORTS = [
  { kind: "findings", title: "Findings" },
  { kind: "profile", title: "Execution profile" },
  { kind: "performance", title: "Performance statistics" },
  { kind: "threads", title: "Threads" },
  { kind: "stacks", title: "Stack usage" },
  { kind: "services", title: "Popular services" },
  { kind: "inversions", title: "Priority inversions" },
  { kind: "latency", title: "Latency" },
  { kind: "isr", title: "Interrupt service routines" },
  { kind: "locks", title: "Mutexes" },
  { kind: "objects", title: "Queues, semaphores, pools" },
  { kind: "load", title: "Load" },
  { kind: "active", title: "Active objects", ofActiveObjects: true },
  { kind: "signals", title: "Signals", ofActiveObjects: true },
  { kind: "states", title: "States", ofActiveObjects: true },
  { kind: "transitions", title: "Transitions", ofActiveObjects: true },
  { kind: "timers", title: "Timers", ofActiveObjects: true },
  { kind: "filex", title: "FileX statistics" },
  { kind: "netx", title: "NetX statistics" },
  { kind: "usbx", title: "USBX statistics" },
  { kind: "health", title: "Health of the recording" },
] as const;

/** The name of a report. */
export type ReportKind = (typeof REPORTS)[number]["kind"];

/** The reports that have something to say about a trace. */
export function reportsOf(overview: Overview): (typeof REPORTS)[number][] {
  const has = hasActiveObjects(overview);
  return REPORTS.filter((report) => has || !("ofActiveObjects" in report));
}

/** Whether a report is called that. */
export function isReport(name: string): name is ReportKind {
  return REPORTS.some(({ kind }) => kind === name);
}
