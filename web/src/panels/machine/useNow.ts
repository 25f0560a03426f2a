/** In which state a machine is at the selected event. */

import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { Machine } from "../../session/wire";
import type { TraceState } from "../../state/trace";

/** What a machine does at the selected event. */
export interface Now {
  /** The class of its bar. */
  class: number;
  /** In words. */
  text: string;
}

/** The number of the state in which a machine is then; `null` if that is not known. */
export function stateAt(machine: Machine | undefined, now: Now | null): number | null {
  if (machine === undefined || now === null) return null;
  const found = machine.states.findIndex(
    ({ name, class: code }) => code === now.class && now.text === `in state ${name}`,
  );
  return found < 0 ? null : found;
}

/** What the machine of an active object does at the selected event; `null` if that is not known. */
export function useNow(trace: TraceState, context: number): ReadonlySignal<Now | null> {
  const now = useSignal<Now | null>(null);
  useSignalEffect(() => {
    const selected = trace.selected.value;
    const lane = trace.overview.lanes.findIndex(
      (one) => one.kind === "machine" && one.context === context,
    );
    if (selected === null || lane < 0) {
      now.value = null;
      return undefined;
    }
    const stop = new AbortController();
    // The event's place in the trace says more than its time, which others may share.
    trace.door
      .ask({ ask: "probe", axis: "index", at: selected.event + 0.5, lanes: [lane] }, stop.signal)
      .then(
        ([probe]) => {
          if (!stop.signal.aborted)
            now.value = probe === undefined ? null : { class: probe.class, text: probe.text };
        },
        () => {
          // The diagram is of use without.
        },
      );
    return () => stop.abort();
  });
  return now;
}
