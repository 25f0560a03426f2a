/** Tools above the lane names: filter, sorting and grouping. */

import { useComputed } from "@preact/signals";
import { Button, Options, textOf } from "../../shell/controls";
import { threadNoun } from "../../state/contexts";
import type { Grouping } from "../../state/lane-rows";
import { type LaneSorting, SORTINGS } from "../../state/lane-sorting";
import type { TraceState } from "../../state/trace";
import "./names.css";

export function LaneTools({ trace }: { trace: TraceState }) {
  const { lanes } = trace;
  const word = threadNoun(trace.overview);
  const hasPriorities = trace.overview.contexts.some(({ priority }) => priority !== null);
  const hidden = useComputed(() => lanes.hidden.value.size);
  return (
    <div class="lane-tools">
      <input
        type="search"
        aria-label="Filter lanes by name"
        placeholder="Filter lanes"
        {...textOf(lanes.filter)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || lanes.filter.value === "") return;
          lanes.filter.value = "";
          event.stopPropagation();
        }}
      />
      <select
        aria-label="Sort lanes"
        title={`Sort ${word} by`}
        value={lanes.sorting.value ?? ""}
        onChange={(event) => {
          if (event.currentTarget.value !== "")
            lanes.sort(event.currentTarget.value as LaneSorting);
        }}
      >
        <option value="" disabled>
          Sort by…
        </option>
        <Options of={SORTINGS.map(({ by, title }) => [by, title])} />
      </select>
      <select
        class="group-lanes"
        aria-label="Group lanes"
        title={`Group ${word} by`}
        value={lanes.grouping.value}
        onChange={(event) => {
          lanes.grouping.value = event.currentTarget.value as Grouping;
        }}
      >
        <Options
          of={lanes.groupings.value.map(({ by, title }) => [
            by,
            by === "none" ? "No groups" : title,
          ])}
        />
      </select>
      {hidden.value > 0 && (
        <Button title="Show all lanes" onClick={() => lanes.showAll()}>
          +{hidden.value} hidden
        </Button>
      )}
      <div class="lane-heads" aria-hidden="true">
        <span>Lane</span>
        {hasPriorities && <span>Priority</span>}
      </div>
    </div>
  );
}
