/** What a panel remembers about each open trace. */

import { signal, type Signal } from "@preact/signals";
import type { TraceState } from "./trace";

/** A signal of its own for each trace, made when it is first asked for. */
export function forEachTrace<T>(initial: (trace: TraceState) => T): (trace: TraceState) => Signal<T> {
  const signals = new WeakMap<TraceState, Signal<T>>();
  return (trace) => {
    let known = signals.get(trace);
    if (!known) {
      known = signal(initial(trace));
      signals.set(trace, known);
    }
    return known;
  };
}
