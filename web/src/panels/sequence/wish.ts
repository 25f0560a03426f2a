/** Options of the sequence diagram. */

import type { QueryOf } from "../../session/client";
import type { SequenceFormat, Window } from "../../session/wire";
import { perTrace } from "../../state/per-trace";
import type { TraceState } from "../../state/trace";

/** Options selected by the user. */
export interface Wish {
  /** Frozen window; `null` for the visible interval. */
  frozen: Window | null;
  /** Contexts of the active objects to show; all if empty. */
  objects: readonly number[];
  states: boolean;
  actions: boolean;
  timers: boolean;
}

/** Current options. */
export const wish = perTrace<Wish>(() => ({
  frozen: null,
  objects: [],
  states: true,
  actions: false,
  timers: true,
}));

/** Changes some options. */
export function change(trace: TraceState, changes: Partial<Wish>): void {
  const wished = wish(trace);
  wished.value = { ...wished.peek(), ...changes };
}

/** Maximum rows on the page; files may have as many as the session returns. */
export const ROWS = 400;
export const MOST_ROWS = 5000;

/** Query for the diagram. */
export function query(
  { objects, states, actions, timers }: Wish,
  window: Window,
  format: SequenceFormat,
  most: number,
): QueryOf<"sequence"> {
  return { query: "sequence", window, objects: [...objects], format, states, actions, timers, limit: most };
}
