/** States of each state machine with their colours. */

import type { StateMachine } from "../../session/wire";
import { Button } from "../../shell/controls";
import { countText, shareText } from "../../state/format";
import { follow } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { classProperty } from "../../timeline/palette";

export function States({ trace }: { trace: TraceState }) {
  const { machines, contexts } = trace.overview;
  return (
    <>
      {machines.map((machine) => (
        <MachineStates
          key={machine.context}
          trace={trace}
          machine={machine}
          name={contexts[machine.context]?.name ?? "?"}
        />
      ))}
    </>
  );
}

function MachineStates({
  trace,
  machine,
  name,
}: {
  trace: TraceState;
  machine: StateMachine;
  name: string;
}) {
  const { classes } = trace.overview;
  const property = (code: number) =>
    classProperty(classes.find((one) => one.code === code)?.name ?? "");
  return (
    <section>
      <h3>States of {name}</h3>
      <ul class="plain-list machine-states" aria-label={`States of ${name}`}>
        {machine.states.map((state, number) => (
          <li key={number}>
            <span
              class="swatch"
              aria-hidden="true"
              style={{ background: `var(${property(state.class)})` }}
            />
            <Button
              class="link"
              title="Go to the next entry into this state"
              onClick={() =>
                follow(trace, { mode: "state", context: machine.context, state: number })
              }
            >
              {state.name}
            </Button>
            <span class="number">{countText(state.visits)} ×</span>
            <span class="number muted">{shareText(state.share)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
