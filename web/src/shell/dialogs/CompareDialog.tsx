/** The recording that the active one is compared with. */

import { useSignal } from "@preact/signals";
import { comparable, compare } from "../../state/comparison/comparison";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { Options } from "../controls";
import { FormDialog } from "./FormDialog";
import { closeDialog } from "./open-dialog";

/** Compares two recordings and shows the figures. */
export function startComparison(before: TraceState, after: TraceState): void {
  compare(before, after);
  settings.sidePanel.value = "comparison";
}

export function CompareDialog({ trace }: { trace: TraceState }) {
  const others = comparable.value.filter((other) => other !== trace);
  const chosen = useSignal(others[0]?.id ?? -1);
  const submit = () => {
    const before = others.find(({ id }) => id === chosen.peek());
    closeDialog();
    if (before) startComparison(before, trace);
  };
  return (
    <FormDialog title={`Compare ${trace.overview.name} with…`} action="Compare" submit={submit}>
      <label>
        The recording from before
        <select
          autofocus
          value={chosen.value}
          onChange={({ currentTarget }) => {
            chosen.value = Number(currentTarget.value);
          }}
        >
          <Options of={others.map(({ id, overview }) => [id, overview.name])} />
        </select>
      </label>
    </FormDialog>
  );
}
