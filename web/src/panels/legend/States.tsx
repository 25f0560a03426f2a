/** States of each state machine with their colours. */

import { Button } from "../../shell/controls";
import { countText, shareText } from "../../state/format";
import { follow } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { classProperty } from "../../timeline/palette";

export function States({ trace }: { trace: TraceState }) {
  const { machines, contexts, classes } = trace.overview;
  const property = (code: number) =>
    classProperty(classes.find((one) => one.code === code)?.name ?? "");
  return machines.map(({ context, states }) => {
    const title = `States of ${contexts[context]?.name ?? "?"}`;
    return (
      <section key={context}>
        <h3>{title}</h3>
        <ul class="plain-list machine-states" aria-label={title}>
          {states.map((state, number) => (
            <li key={number}>
              <span
                class="swatch"
                aria-hidden="true"
                style={{ background: `var(${property(state.class)})` }}
              />
              <Button
                class="link"
                title="Go to the next entry into this state"
                onClick={() => follow(trace, { mode: "state", context, state: number })}
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
  });
}
