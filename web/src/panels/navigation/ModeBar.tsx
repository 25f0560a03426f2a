/** Controls that step through events: first, previous, step mode, event number, next, last. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { CommandButton } from "../../shell/CommandButton";
import { Options, textOf } from "../../shell/controls";
import { countText } from "../../state/format";
import { goToEvent } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { stepModeName, stepModeOf, stepModes } from "./step-modes";
import "./navigation.css";

function ModePicker({ trace }: { trace: TraceState }) {
  const by = trace.stepMode.value;
  const byKeys = useRef(false);
  const searched = trace.searchResult.value;
  const groups = useMemo(() => stepModes(trace), [trace, searched, trace.structureVersion.value]);
  return (
    <select
      class="mode"
      aria-label="Step by"
      value={stepModeName(by)}
      title="Criterion of next (N) and previous (Shift+N)"
      onKeyDown={() => {
        byKeys.current = true;
      }}
      onPointerDown={() => {
        byKeys.current = false;
      }}
      onChange={({ currentTarget }) => {
        const chosen = stepModeOf(trace, currentTarget.value);
        if (chosen) trace.stepMode.value = chosen;
        // Return keys to the timeline, unless the choice was made by keyboard.
        if (!byKeys.current) currentTarget.blur();
      }}
    >
      {groups.map(({ title, modes }) => {
        const options = <Options of={modes.map(({ name, text }) => [name, text])} />;
        return title === "" ? (
          options
        ) : (
          <optgroup key={title} label={title}>
            {options}
          </optgroup>
        );
      })}
    </select>
  );
}

function IndexBox({ trace }: { trace: TraceState }) {
  const text = useSignal("");
  useSignalEffect(() => {
    text.value = trace.selected.value?.event.toString() ?? "";
  });
  const { base, events } = trace.overview;
  const all = `${countText(base.event)} to ${countText(base.event + events - 1)}`;
  return (
    <input
      class="index-box number"
      inputMode="numeric"
      aria-label="Event number"
      {...textOf(text)}
      placeholder="event"
      title={`Number of the selected event, ${all}; press Enter to go there`}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        const number = Number(text.peek());
        if (text.peek().trim() !== "" && Number.isInteger(number) && number >= 0) {
          void goToEvent(trace, number);
        }
      }}
    />
  );
}

export function ModeBar({ trace }: { trace: TraceState }) {
  return (
    <fieldset class="mode-bar" aria-label="Step through events">
      <span class="wide medium">
        <CommandButton id="first" />
      </span>
      <CommandButton id="previous" />
      <span class="wide medium">
        <ModePicker trace={trace} />
        <IndexBox trace={trace} />
      </span>
      <CommandButton id="next" />
      <span class="wide medium">
        <CommandButton id="last" />
      </span>
    </fieldset>
  );
}
