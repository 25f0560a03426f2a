/** Reports in menu order. */

import type { Overview } from "../../session/wire";

/** The findings, and the document parts that are queried by these names. */
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
  { kind: "context-switches", title: "Context switches" },
  { kind: "active", title: "Active objects" },
  { kind: "signals", title: "Signals" },
  { kind: "states", title: "States" },
  { kind: "transitions", title: "Transitions" },
  { kind: "timers", title: "Timers" },
  { kind: "filex", title: "FileX statistics" },
  { kind: "netx", title: "NetX statistics" },
  { kind: "usbx", title: "USBX statistics" },
  { kind: "health", title: "Recording health" },
] as const;

/** Name of a report. */
export type ReportKind = (typeof REPORTS)[number]["kind"];

/** Reports available for a trace. */
export function reportsOf({ reports }: Overview): (typeof REPORTS)[number][] {
  return REPORTS.filter(({ kind }) => kind === "findings" || reports.includes(kind));
}

/** Whether a report with this name exists. */
export function isReport(name: string): name is ReportKind {
  return REPORTS.some(({ kind }) => kind === name);
}
