/** The colours of the bars of lanes. */

import type { TraceState } from "../../state/trace";
import { STATE } from "../../timeline/classes";
import { classProperty } from "../../timeline/palette";

const WORDS: Record<string, string> = {
  unknown: "not known",
  ready: "ready, without a core",
  running: "executes",
  thread: "core: a thread",
  isr: "core: interrupt",
  "nested-isr": "core: nested interrupt",
  idle: "core: idle",
  initialize: "core: initialisation",
  interrupted: "interrupted routine",
  kernel: "core: interrupt or scheduler, in no routine",
  "interrupts-off": "interrupts off",
  suspended: "suspended",
  sleep: "sleeps",
  completed: "completed",
  terminated: "terminated",
};

export function Classes({ trace }: { trace: TraceState }) {
  // The colours of states are those of each machine: States.
  const classes = trace.overview.classes.filter(
    ({ name }) => name !== "nothing" && !name.startsWith(STATE),
  );
  return (
    <section>
      <h3>Bars</h3>
      <ul class="plain-list classes">
        {classes.map(({ code, name }) => (
          <li key={code}>
            <span
              class="swatch"
              aria-hidden="true"
              style={{ background: `var(${classProperty(name)})` }}
            />
            {WORDS[name] ?? `waits: ${name.replaceAll("-", " ")}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
