/** Name, colour, height and group of a lane. */

import { useSignal } from "@preact/signals";
import { hasColour, MAX_HEIGHT, MIN_HEIGHT } from "../../state/lane-looks";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { palette } from "../../timeline/palette";
import { Button, Suggested, set, textOf } from "../controls";
import { FormDialog } from "./FormDialog";
import { closeDialog } from "./open-dialog";

const MAX_LENGTH = 60;

export function LaneDialog({ trace, number }: { trace: TraceState; number: number }) {
  const { lanes } = trace;
  const lane = lanes.lane(number);
  const known = lanes.look(number);
  const name = useSignal(known?.name ?? "");
  const colour = useSignal(known?.colour);
  const height = useSignal(known?.height?.toString() ?? "");
  const group = useSignal(known?.group ?? "");
  if (lane === undefined) return null;
  const standard =
    lane.kind === "thread" ? palette().contexts[lane.context % palette().contexts.length] : null;
  const groups = new Set(lanes.looks.value.flatMap((look) => look.group ?? []));
  const save = () => {
    closeDialog();
    const text = (value: string) => value.trim() || undefined;
    const changes = {
      name: text(name.value),
      colour: colour.value,
      height: height.value === "" ? undefined : Number(height.value),
      group: text(group.value),
    };
    trace.changeLook(number, changes).catch(showError);
  };
  return (
    <FormDialog title={`Lane ${lane.name}`} action="Save" submit={save}>
      <label>
        Name beside the recorded one
        <input autofocus maxLength={MAX_LENGTH} placeholder={lane.name} {...textOf(name)} />
      </label>
      {hasColour(lane) && (
        <fieldset class="colours" aria-label="Colour">
          <span>Colour</span>
          <Button aria-pressed={colour.value === undefined} onClick={set(colour, undefined)}>
            Standard
          </Button>
          {palette().contexts.map((one, at) => (
            <Button
              key={one}
              class="lane-swatch"
              style={{ background: one }}
              aria-label={`Colour ${at + 1}`}
              aria-pressed={colour.value === one}
              onClick={set(colour, one)}
            />
          ))}
          <input
            type="color"
            aria-label="Other colour"
            title="Other colour"
            value={colour.value ?? standard ?? palette().lane("running")}
            onInput={({ currentTarget }) => {
              colour.value = currentTarget.value;
            }}
          />
        </fieldset>
      )}
      <label>
        Height in pixels
        <input
          type="number"
          min={MIN_HEIGHT}
          max={MAX_HEIGHT}
          placeholder="as all lanes"
          {...textOf(height)}
        />
      </label>
      {lane.kind === "thread" && (
        <Suggested
          label="Group"
          value={group.value}
          change={(value) => {
            group.value = value.slice(0, MAX_LENGTH);
          }}
          placeholder="none"
          list="lane-groups"
          suggestions={[...groups].map((value) => ({ value }))}
        />
      )}
    </FormDialog>
  );
}
