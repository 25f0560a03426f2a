/** State that panels keep for each open trace. */

import { type Signal, signal } from "@preact/signals";
import type { TraceState } from "./trace";

/** Resets of all panels' state for a trace. */
const resets: ((trace: TraceState) => void)[] = [];

/** A signal for each trace, created on first use. */
export function perTrace<T>(initial: (trace: TraceState) => T): (trace: TraceState) => Signal<T> {
  const signals = new WeakMap<TraceState, Signal<T>>();
  resets.push((trace) => {
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

/** Resets all panels' state for a trace, because its identifiers changed. */
export function resetPerTrace(trace: TraceState): void {
  for (const forget of resets) forget(trace);
}
