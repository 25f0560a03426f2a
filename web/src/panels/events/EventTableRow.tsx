/** Rows of the event tables. */

import type { ComponentChildren } from "preact";
import type { EventRow } from "../../session/wire";
import { countText, durationText, shownClock } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { eventKind } from "../event-kind";
import { KindIcon } from "../legend/KindIcon";

/** Column headers. */
export function HeaderRow({ trace }: { trace: TraceState }) {
  const isSmp = trace.overview.cores.length > 1;
  const titles = [
    "Event",
    "Time",
    "Since previous",
    ...(isSmp ? ["Core"] : []),
    "Context",
    "Kind",
    "Arguments",
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual table has no table layout
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, see aria-activedescendant
    <div class={`events-head ${isSmp ? "smp" : ""}`} role="row" aria-rowindex={1}>
      {titles.map((title) => (
        // biome-ignore lint/a11y/useSemanticElements: a virtual table has no table layout
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, see aria-activedescendant
        <span key={title} role="columnheader">
          {title}
        </span>
      ))}
    </div>
  );
}

interface EventTableRowProps {
  trace: TraceState;
  /** `null` until loaded. */
  row: EventRow | null;
  before: EventRow | null;
  number: number;
  id: string;
  top: number;
  isSelected: boolean;
  choose: (number: number) => void;
}

export function EventTableRow({
  trace,
  row,
  before,
  number,
  id,
  top,
  isSelected,
  choose,
}: EventTableRowProps) {
  const clock = shownClock(trace);
  const isSmp = trace.overview.cores.length > 1;
  const kind = row && eventKind(trace.overview, row.kind);
  const context = row && trace.overview.contexts[row.context];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, see aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    // biome-ignore lint/a11y/useSemanticElements: a virtual table has no table layout
    <div
      class={`events-row ${isSmp ? "smp" : ""} ${number % 2 === 1 ? "odd" : ""}`}
      role="row"
      id={id}
      aria-rowindex={number + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => choose(number)}
    >
      <Cell class="number">{row ? countText(row.event) : "…"}</Cell>
      <Cell class="number">{row && durationText(row.time, clock)}</Cell>
      <Cell class="number muted">
        {row && before && durationText(row.time - before.time, clock)}
      </Cell>
      {isSmp && <Cell class="number">{row?.core}</Cell>}
      <Cell title={context?.name}>{context?.name}</Cell>
      <Cell title={row?.name}>
        {kind && <KindIcon kind={kind} />} {row?.name}
      </Cell>
      <Cell class="muted" title={row?.arguments}>
        {row?.arguments}
      </Cell>
    </div>
  );
}

function Cell(props: { class?: string; title?: string | undefined; children: ComponentChildren }) {
  // biome-ignore lint/a11y/useSemanticElements: a virtual table has no table layout
  // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, see aria-activedescendant
  return <span role="gridcell" {...props} />;
}
