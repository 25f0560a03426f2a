/** Options of the sequence diagram. */

import type { QueryOf } from "../../session/client";
import type { SequenceFormat, Window } from "../../session/wire";
import { perTrace } from "../../state/per-trace";
import type { TraceState } from "../../state/trace";

/** Options selected by the user. */
export interface SequenceOptions {
  /** Frozen window; `null` for the visible interval. */
  frozen: Window | null;
  /** Contexts of the active objects to show; all if empty. */
  objects: readonly number[];
  states: boolean;
  actions: boolean;
  timers: boolean;
}

/** Current options. */
export const sequenceOptions = perTrace<SequenceOptions>(() => ({
  frozen: null,
  objects: [],
  states: true,
  actions: false,
  timers: true,
}));

/** Changes some options. */
export function changeOptions(trace: TraceState, changes: Partial<SequenceOptions>): void {
  const wished = sequenceOptions(trace);
  wished.value = { ...wished.peek(), ...changes };
}

/** Maximum rows on the page; files may have as many as the session returns. */
export const MAX_PAGE_ROWS = 400;
export const MAX_FILE_ROWS = 5000;

/** Query for the diagram. */
export function sequenceQuery(
  { objects, states, actions, timers }: SequenceOptions,
  window: Window,
  format: SequenceFormat,
  limit: number,
): QueryOf<"sequence"> {
  return {
    query: "sequence",
    window,
    objects: [...objects],
    format,
    states,
    actions,
    timers,
    limit,
  };
}
