/** Dialog that goes to an event by number or to a time. */

import { useSignal } from "@preact/signals";
import { goToEvent, goToTime } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { FormDialog } from "./FormDialog";
import { parseTarget } from "./go-to-target";
import { closeDialog } from "./open-dialog";

export function GoTo({ trace }: { trace: TraceState }) {
  const text = useSignal("");
  const problem = useSignal("");
  const go = () => {
    const target = parseTarget(text.value, trace.frequencyHz.value, trace.overview.clock.no_time);
    if (typeof target === "string") {
      problem.value = target;
      return;
    }
    closeDialog();
    if ("event" in target) void goToEvent(trace, target.event);
    else void goToTime(trace, target.ticks);
  };
  const { base, events } = trace.overview;
  return (
    <FormDialog title="Go to" action="Go" submit={go}>
      <label>
        Event or time
        <input
          autofocus
          class="mono"
          value={text.value}
          spellcheck={false}
          aria-invalid={problem.value !== ""}
          aria-describedby="go-to-problem"
          placeholder={
            trace.frequencyHz.value === null
              ? "1234 or 20000 ticks"
              : "1234 or 1.5ms or 20000 ticks"
          }
          onInput={(event) => {
            text.value = event.currentTarget.value;
            problem.value = "";
          }}
        />
      </label>
      <p class="muted">
        Events are numbered from {base.event} to {base.event + events - 1}.
      </p>
      <p class="problem" id="go-to-problem" role="alert">
        {problem}
      </p>
    </FormDialog>
  );
}
