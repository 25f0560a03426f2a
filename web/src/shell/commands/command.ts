/** What a command is. */

import { hasActiveObjects } from "../../state/contexts";
import type { TraceState } from "../../state/trace";
import { active } from "../../state/viewer";
import type { IconName } from "../Icon";

/** Something that the user can make the viewer do. */
export interface Command {
  /** How the code calls it. */
  id: string;
  /** How people call it. */
  title: string;
  /** The heading under which the key help lists it. */
  group: string;
  /** The keys that run it, by name: see keys.ts. */
  keys: string[];
  icon?: IconName;
  run: () => void;
  /** Whether it can be run now; always, if it is not given. */
  enabled?: () => boolean;
  /** Whether it has to do with what the shown trace has; always, if it is not given. */
  concerns?: () => boolean;
  /** Of what can be on or off: whether it is on. */
  pressed?: () => boolean;
}

/** Whether a trace is shown. */
export const hasTrace = (): boolean => active.value !== null;

/** Does something with the trace that is shown. */
export function withTrace(act: (trace: TraceState) => void): () => void {
  return () => {
    const trace = active.peek();
    if (trace) act(trace);
  };
}

type OfTrace = Omit<Command, "group" | "run"> & { run: (trace: TraceState) => void };

/** Whether the trace that is shown speaks of active objects. */
export const ofActiveObjects = (): boolean =>
  active.value !== null && hasActiveObjects(active.value.overview);

/** A command about the trace that is shown. */
export function ofTrace(group: string, { run, enabled, ...rest }: OfTrace): Command {
  return {
    ...rest,
    group,
    run: withTrace(run),
    enabled: () => hasTrace() && (enabled === undefined || enabled()),
  };
}
