/** What a panel remembers about each open trace. */

import { type Signal, signal } from "@preact/signals";
import type { TraceState } from "./trace";

/** How to forget what all panels remember about a trace. */
const forgetting: ((trace: TraceState) => void)[] = [];

/** A signal of its own for each trace, made when it is first asked for. */
export function forEachTrace<T>(
  initial: (trace: TraceState) => T,
): (trace: TraceState) => Signal<T> {
  const signals = new WeakMap<TraceState, Signal<T>>();
  forgetting.push((trace) => {
    const known = signals.get(trace);
    if (known) known.value = initial(trace);
  });
  return (trace) => {
    let known = signals.get(trace);
    if (!known) {
      known = signal(initial(trace));
      signals.set(trace, known);
    }
    return known;
  };
}

/** Forgets what panels remember about a trace: its numbers stand for something else now. */
export function forgetEach(trace: TraceState): void {
  for (const forget of forgetting) forget(trace);
}
