/** Sets the trace's clock frequency. */

import { useSignal } from "@preact/signals";
import { clockSourceText } from "../../state/clock";
import { countText, frequencyText, messageOf } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { parseClock } from "./clock-frequency";
import { FormDialog } from "./FormDialog";
import { closeDialog } from "./open-dialog";

export function ClockDialog({ trace }: { trace: TraceState }) {
  const known = trace.frequencyHz.peek();
  const text = useSignal(known === null ? "" : frequencyText(known).replace(" ", ""));
  const problem = useSignal("");
  const noTime = trace.overview.clock.no_time;
  const source = clockSourceText(trace.clockSource.peek());
  const read = parseClock(text.value);
  const set = async () => {
    if (typeof read === "string") {
      problem.value = read;
      return;
    }
    try {
      await trace.setClock(read);
      closeDialog();
    } catch (error) {
      problem.value = messageOf(error);
    }
  };
  return (
    <FormDialog title="Clock frequency" action="Set" submit={() => void set()}>
      <label>
        Frequency, tick length or tick rate
        <input
          autofocus
          class="mono"
          value={text.value}
          spellcheck={false}
          placeholder="25MHz, 40ns or 240/us"
          aria-invalid={problem.value !== ""}
          aria-describedby="clock-problem"
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            problem.value = "";
          }}
        />
      </label>
      <p class="muted">
        {typeof read === "number"
          ? `${frequencyText(read)}: ${countText(read)} ticks per second.`
          : typeof read === "string"
            ? read
            : "Leave empty to show ticks only."}
      </p>
      {known !== null && source !== null && (
        <p class="muted">
          {frequencyText(known)} is {source}.
        </p>
      )}
      {noTime !== null && <p class="muted">The frequency has no effect: {noTime}.</p>}
      <p class="problem" id="clock-problem" role="alert">
        {problem}
      </p>
    </FormDialog>
  );
}
