/** A row of a table of events. */

import type { Row } from "../../session/wire";
import { countText, durationText, shownClock } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { kindOf } from "../kinds";
import { KindIcon } from "../legend/KindIcon";

/** The titles of the columns. */
export function Head({ trace }: { trace: TraceState }) {
  const isSmp = trace.overview.cores.length > 1;
  const titles = [
    "Event",
    "Time",
    "Since before",
    ...(isSmp ? ["Core"] : []),
    "Context",
    "Kind",
    "Arguments",
  ];
  return (
    <div class={`events-head ${isSmp ? "smp" : ""}`} role="row" aria-rowindex={1}>
      {titles.map((title) => (
        <span key={title} role="columnheader">
          {title}
        </span>
      ))}
    </div>
  );
}

interface EventRowProps {
  trace: TraceState;
  /** `null` until it is known. */
  row: Row | null;
  before: Row | null;
  number: number;
  id: string;
  top: number;
  isSelected: boolean;
  choose: (number: number) => void;
}

export function EventRow({
  trace,
  row,
  before,
  number,
  id,
  top,
  isSelected,
  choose,
}: EventRowProps) {
  const clock = shownClock(trace);
  const isSmp = trace.overview.cores.length > 1;
  const kind = row && kindOf(trace.overview, row.kind);
  const context = row && trace.overview.contexts[row.context];
  return (
    <div
      class={`events-row ${isSmp ? "smp" : ""} ${number % 2 === 1 ? "odd" : ""}`}
      role="row"
      id={id}
      aria-rowindex={number + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => choose(number)}
    >
      <span role="gridcell" class="number">
        {row ? countText(row.event) : "…"}
      </span>
      <span role="gridcell" class="number">
        {row && durationText(row.time, clock)}
      </span>
      <span role="gridcell" class="number muted">
        {row && before && durationText(row.time - before.time, clock)}
      </span>
      {isSmp && (
        <span role="gridcell" class="number">
          {row?.core}
        </span>
      )}
      <span role="gridcell" title={context?.name}>
        {context?.name}
      </span>
      <span role="gridcell" title={row?.name}>
        {kind && <KindIcon kind={kind} />} {row?.name}
      </span>
      <span role="gridcell" class="muted" title={row?.arguments}>
        {row?.arguments}
      </span>
    </div>
  );
}
