/** What a sequence diagram shows. */

import type { Asking } from "../../session/door";
import type { SequenceFormat, Window } from "../../session/wire";
import { forEachTrace } from "../../state/each";
import type { TraceState } from "../../state/trace";

/** What the user wants to see. */
export interface Wish {
  /** The part of the trace; `null` is what is visible. */
  frozen: Window | null;
  /** Only these active objects, by their contexts; all if it is empty. */
  objects: readonly number[];
  states: boolean;
  actions: boolean;
  timers: boolean;
}

/** The wish. */
export const wish = forEachTrace<Wish>(() => ({
  frozen: null,
  objects: [],
  states: true,
  actions: false,
  timers: true,
}));

/** Changes a part of the wish. */
export function change(trace: TraceState, changes: Partial<Wish>): void {
  const wished = wish(trace);
  wished.value = { ...wished.peek(), ...changes };
}

/** Rows on the page; files may have as many as the session gives. */
export const ROWS = 400;
export const MOST_ROWS = 5000;

/** The question. */
export function query(
  { objects, states, actions, timers }: Wish,
  window: Window,
  format: SequenceFormat,
  most: number,
): Asking<"sequence"> {
  return { ask: "sequence", window, objects: [...objects], format, states, actions, timers, most };
}
