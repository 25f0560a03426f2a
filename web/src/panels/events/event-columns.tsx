/** Columns of the event tables. */

import type { ComponentChildren } from "preact";
import type { EventRow } from "../../session/wire";
import { countText, durationText, shownClock } from "../../state/format";
import { limits } from "../../state/interval";
import type { TraceState } from "../../state/trace";
import { eventKind } from "../event-kind";
import { KindIcon } from "../legend/KindIcon";

/** A column. `row` is null until loaded, `before` is the row before it. */
export interface EventColumn {
  title: string;
  /** CSS class of the cells. */
  style: string;
  /** Track size of the CSS grid. */
  track: string;
  /** Minimum width as a CSS length. */
  min: string;
  /** Whole text of a cell that may be cut. */
  full?: (row: EventRow) => string | undefined;
  show: (row: EventRow | null, before: EventRow | null) => ComponentChildren;
}

/** Columns as a CSS grid. */
export interface EventGrid {
  columns: readonly EventColumn[];
  /** `grid-template-columns`. */
  template: string;
  /** Width below which the table scrolls, a CSS length. */
  minWidth: string;
}

/** Longest time in a unit smaller than a second: `999.999 ms`. */
const MIN_TIME_LENGTH = 10;
/** As in events.css, in pixels. */
const GAP = 10;
const PADDING = 10;

/** Columns of numbers are as wide as their longest text, `letters` or the title. */
function figure(
  title: string,
  letters: number,
  show: EventColumn["show"],
  style = "number",
): EventColumn {
  const width = `${Math.max(letters, title.length) + 1}ch`;
  return { title, style, track: width, min: width, show };
}

function text(
  title: string,
  min: number,
  grow: number,
  full: (row: EventRow) => string | undefined,
  {
    style = "",
    show = (row) => row && full(row),
  }: Partial<Pick<EventColumn, "style" | "show">> = {},
): EventColumn {
  return { title, style, track: `minmax(${min}px, ${grow}fr)`, min: `${min}px`, full, show };
}

/** Columns of the events of a trace; a narrow table omits what is shown elsewhere, too. */
export function eventColumns(trace: TraceState, isNarrow: boolean): EventColumn[] {
  const { overview } = trace;
  const clock = shownClock(trace);
  const extent = trace.extent.value;
  const lastEvent = countText(limits(extent, "index").end);
  const lastTime = durationText(limits(extent, "time").end, clock).length;
  const timeLength = clock === null ? lastTime : Math.max(lastTime, MIN_TIME_LENGTH);
  const time = (row: EventRow | null) => row && durationText(row.time, clock);
  const sincePrevious = (row: EventRow | null, before: EventRow | null) =>
    row && before && durationText(row.time - before.time, clock);
  const isSmp = overview.cores.length > 1;
  return [
    figure("Event", lastEvent.length, (row) => (row ? countText(row.event) : "…")),
    figure("Time", timeLength, time),
    ...(isNarrow ? [] : [figure("Since previous", timeLength, sincePrevious, "number muted")]),
    ...(isSmp && !isNarrow ? [figure("Core", 4, (row) => row?.core)] : []),
    text("Context", 64, 1.1, (row) => overview.contexts[row.context]?.name),
    text("Kind", 90, 1.4, (row) => row.name, {
      show: (row) => {
        const kind = row && eventKind(overview, row.kind);
        return (
          <>
            {kind && <KindIcon kind={kind} />} {row?.name}
          </>
        );
      },
    }),
    ...(isNarrow ? [] : [text("Arguments", 100, 3, (row) => row.arguments, { style: "muted" })]),
  ];
}

/** The grid of columns; `chosen` are the widths that the user chose, in pixels. */
export function eventGrid(
  columns: readonly EventColumn[],
  chosen: Readonly<Record<string, number>>,
): EventGrid {
  const of = (column: EventColumn, automatic: string) => {
    const width = chosen[column.title];
    return width === undefined ? automatic : `${width}px`;
  };
  const minimum = columns.map((column) => of(column, column.min));
  const gaps = `${(columns.length - 1) * GAP + 2 * PADDING}px`;
  return {
    columns,
    template: columns.map((column) => of(column, column.track)).join(" "),
    minWidth: `calc(${[...minimum, gaps].join(" + ")})`,
  };
}
