/** Definition of a command. */

import { hasActiveObjects, recordsCommunication } from "../../state/contexts";
import type { TraceState } from "../../state/trace";
import { active } from "../../state/viewer";
import type { IconName } from "../Icon";

/** A user command. */
export interface Command {
  /** Identifier in the code. */
  id: string;
  /** Title shown to the user. */
  title: string;
  /** Heading in the key help. */
  group: string;
  /** Keys that run it, by name: see key-names.ts. */
  keys: string[];
  icon?: IconName;
  run: () => void;
  /** Whether it can be run now; always by default. */
  enabled?: () => boolean;
  /** Whether it is about the selected event: its key waits for steps that are not finished. */
  usesSelection?: boolean;
  /** Notice for the user who presses its key while it cannot be run. */
  hint?: string;
  /** Whether it applies to the active trace; always by default. */
  isApplicable?: () => boolean;
  /** State of a toggle. */
  pressed?: () => boolean;
}

/** Whether a trace is active. */
export const hasTrace = (): boolean => active.value !== null;

/** Applies a function to the active trace. */
export function withTrace(act: (trace: TraceState) => void): () => void {
  return () => {
    const trace = active.peek();
    if (trace) act(trace);
  };
}

/** Whether the active trace has active objects. */
export const tracesActiveObjects = (): boolean =>
  active.value !== null && hasActiveObjects(active.value.overview);

/** Whether the active trace records the use of objects, or posts. */
export const tracesCommunication = (): boolean =>
  active.value !== null && recordsCommunication(active.value.overview);

type Options = Omit<Partial<Command>, "id" | "title" | "group" | "keys" | "run">;

/** Makes the commands of a group. */
export const commandsOf = (group: string) => ({
  plain: (
    id: string,
    title: string,
    keys: string[],
    run: () => void,
    options: Options = {},
  ): Command => ({ id, title, group, keys, run, ...options }),
  /** A command for the active trace. */
  ofTrace: (
    id: string,
    title: string,
    keys: string[],
    run: (trace: TraceState) => void,
    { enabled, ...options }: Options = {},
  ): Command => ({
    id,
    title,
    group,
    keys,
    run: withTrace(run),
    enabled: () => hasTrace() && (enabled === undefined || enabled()),
    ...options,
  }),
});
