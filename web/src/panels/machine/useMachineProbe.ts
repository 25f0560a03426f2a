/** State of a machine at the selected event. */

import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { StateMachine } from "../../session/wire";
import type { TraceState } from "../../state/trace";

/** Probe of a state machine's lane. */
export interface MachineProbe {
  /** Class of the bar. */
  class: number;
  /** Description. */
  text: string;
}

/** Number of the state; `null` if unknown. */
export function stateAt(
  machine: StateMachine | undefined,
  now: MachineProbe | null,
): number | null {
  if (machine === undefined || now === null) return null;
  const found = machine.states.findIndex(
    ({ name, class: code }) => code === now.class && now.text === `in state ${name}`,
  );
  return found < 0 ? null : found;
}

/** Probe of an active object's state machine at the selected event; `null` if unknown. */
export function useMachineProbe(
  trace: TraceState,
  context: number,
): ReadonlySignal<MachineProbe | null> {
  const now = useSignal<MachineProbe | null>(null);
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
    // Position by number: several events may share a time.
    trace.client
      .query(
        { query: "probe", axis: "index", at: selected.event + 0.5, lanes: [lane] },
        stop.signal,
      )
      .then(
        ([probe]) => {
          if (!stop.signal.aborted)
            now.value = probe === undefined ? null : { class: probe.class, text: probe.text };
        },
        () => {
          // The diagram works without.
        },
      );
    return () => stop.abort();
  });
  return now;
}
