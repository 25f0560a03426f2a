/** Kinds of contexts. */

import type { Context, Overview } from "../session/wire";

/** Whether the context is scheduled and has a lane: a thread or an active object. */
export function isThread({ kind }: Pick<Context, "kind">): boolean {
  return kind === "thread" || isActiveObject({ kind });
}

/** Whether the context takes events from a queue and handles them one at a time. */
export function isActiveObject({ kind }: Pick<Context, "kind">): boolean {
  return kind === "active-object";
}

/** Whether a trace has active objects. */
export function hasActiveObjects({ contexts }: Overview): boolean {
  return contexts.some(isActiveObject);
}

/** Whether a trace records the use of objects, or posts. */
export function recordsCommunication({ reports }: Overview): boolean {
  return reports.some(({ kind }) => kind === "communication");
}

/** Word for the scheduled contexts of a trace. */
export function threadNoun(overview: Overview): "threads" | "active objects" {
  const threads = overview.contexts.filter(isThread);
  return threads.length > 0 && threads.every(isActiveObject) ? "active objects" : "threads";
}
