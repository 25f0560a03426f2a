/** Rows of the event tables. */

import type { ComponentChildren } from "preact";
import type { EventRow } from "../../session/wire";
import { ColumnGrip } from "../table/ColumnGrip";
import { chosenWidths } from "../table/stored-widths";
import type { EventColumn, EventGrid } from "./event-columns";

/** Width at which no visible cell of a column is cut, in pixels. */
function fittingWidth(grip: HTMLElement, column: number): number {
  const cells = grip
    .closest('[role="grid"]')
    ?.querySelectorAll<HTMLElement>(`[role="row"] > :nth-child(${column + 1}) > .cell-text`);
  const widths = [...(cells ?? [])].map((cell) => cell.scrollWidth);
  return Math.max(0, ...widths) + 1;
}

/** Column headers. Widths are stored under the name of the table. */
export function HeaderRow({ grid, table }: { grid: EventGrid; table: string }) {
  const chosen = chosenWidths(table);
  return (
    <div class="events-head" role="row" aria-rowindex={1}>
      {grid.columns.map(({ title, style }, number) => (
        <span key={title} role="columnheader" class={style} aria-label={title}>
          <span class="cell-text" title={title}>
            {title}
          </span>
          <ColumnGrip
            table={table}
            title={title}
            chosen={chosen[title]}
            fitting={(grip) => fittingWidth(grip, number)}
          />
        </span>
      ))}
    </div>
  );
}

interface EventTableRowProps {
  columns: readonly EventColumn[];
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
  columns,
  row,
  before,
  number,
  id,
  top,
  isSelected,
  choose,
}: EventTableRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      class={`virtual-row events-row ${number % 2 === 1 ? "odd" : ""}`}
      role="row"
      id={id}
      aria-rowindex={number + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => choose(number)}
    >
      {columns.map((column) => (
        <Cell
          key={column.title}
          class={column.style}
          title={row === null ? undefined : column.full?.(row)}
        >
          {column.show(row, before)}
        </Cell>
      ))}
    </div>
  );
}

interface CellProps {
  class: string;
  title: string | undefined;
  children: ComponentChildren;
}

function Cell({ children, ...props }: CellProps) {
  return (
    <span role="gridcell" {...props}>
      <span class="cell-text">{children}</span>
    </span>
  );
}
