/** What contexts are. */

import type { Context, Overview } from "../session/wire";

/** Whether it has a lane of its own and is scheduled: a thread, or an active object. */
export function isThread({ kind }: Pick<Context, "kind">): boolean {
  return kind === "thread" || isActiveObject({ kind });
}

/** Whether it gets events from a queue and handles them one after the other. */
export function isActiveObject({ kind }: Pick<Context, "kind">): boolean {
  return kind === "active-object";
}

/** Whether a trace speaks of active objects. */
export function hasActiveObjects({ contexts }: Overview): boolean {
  return contexts.some(isActiveObject);
}

/** What people call those that are scheduled in a trace. */
export function wordForThreads(overview: Overview): "threads" | "active objects" {
  const threads = overview.contexts.filter(isThread);
  return threads.length > 0 && threads.every(isActiveObject) ? "active objects" : "threads";
}
