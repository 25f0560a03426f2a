/** An event table of any length: only visible rows are rendered. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { contextMenu } from "../../shell/context-menu/context-menu";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { eventMenu } from "../../timeline/event-menu";
import { chosenWidths } from "../table/stored-widths";
import { EventTableRow, HeaderRow } from "./EventTableRow";
import { eventColumns, eventGrid } from "./event-columns";
import { type FetchRows, RowCache } from "./row-cache";
import { useScroll } from "./useScroll";
import "./events.css";

interface VirtualTableProps {
  trace: TraceState;
  label: string;
  /** Number of rows. A table that follows has fewer until the last ones are loaded. */
  total: number;
  /** Number of the first row; 0 by default. */
  start?: number;
  /** Changes when all rows may have changed. */
  version?: number;
  /** Whether the last row stays visible as rows are added. */
  isFollowing?: boolean;
  fetch: FetchRows;
  /** Identifies the rows: another source is fetched again. */
  source: string;
  /**
   * Index of an event's row, or of the next row; without it, the table does not follow the
   * selection.
   */
  rowOf?: (event: number) => number | Promise<number>;
}

/** Names under which the widths of columns are stored. */
const WIDTHS_KEY = "Events";
const NARROW_WIDTHS_KEY = "Events, narrow";
/** Width in pixels below which a table omits columns. */
const NARROW = 520;

/** As in events.css. */
const ROW_HEIGHT = 21;
const HEAD_HEIGHT = 23;

export function VirtualTable({
  trace,
  label,
  total: available,
  start = 0,
  version = 0,
  isFollowing = false,
  fetch,
  source,
  rowOf,
}: VirtualTableProps) {
  const pages = useMemo(() => new RowCache(fetch, showError), [trace, source]);
  useEffect(() => () => pages.close(), [pages]);
  const id = useId();
  const active = useSignal(0);
  const scroller = useRef<HTMLDivElement>(null);
  const end = start + available;
  const loadedEnd = isFollowing ? pages.loadedEnd.value : null;
  const total = Math.max(0, Math.min(loadedEnd ?? end, end) - start);
  const scroll = useScroll(scroller, total, ROW_HEIGHT, HEAD_HEIGHT);
  const { first, extent, from, to, seen, viewWidth, show, onScroll } = scroll;

  const known = useRef(version);
  useEffect(() => {
    if (known.current !== version) pages.invalidate();
    known.current = version;
    if (isFollowing) pages.follow(end, seen);
    if (!isFollowing || to < total) pages.request(start + from, start + to, end);
  }, [pages, version, start, end, isFollowing, total, from, to, seen]);
  useEffect(() => {
    if (isFollowing && total > 0) show(total - 1);
  }, [isFollowing, start, total]);
  const rowAt = (number: number) => pages.row(start + number);
  const { value: loaded } = pages.version;
  // A row selected before it was loaded.
  const pending = useRef<number | null>(null);
  useEffect(() => {
    const known = pending.current === null ? null : rowAt(pending.current);
    if (known === null) return;
    pending.current = null;
    trace.selectLocated(known);
  }, [loaded]);

  useSignalEffect(() => {
    const event = trace.selected.value?.event;
    if (event === undefined || !rowOf) return;
    let isOver = false;
    const follow = (row: number) => {
      if (isOver || row < 0 || (row === active.peek() && row !== 0)) return;
      active.value = row;
      show(row);
    };
    const row = rowOf(event);
    if (typeof row === "number") follow(row);
    else row.then(follow, showError);
    return () => {
      isOver = true;
    };
  });

  const choose = (row: number) => {
    active.value = row;
    show(row);
    const known = rowAt(row);
    pending.current = known ? null : row;
    if (known) trace.selectLocated(known);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = scroll.rowFor(event, active.peek());
    if (row === null) return;
    event.preventDefault();
    choose(row);
  };

  const openMenu = async (event: MouseEvent) => {
    event.preventDefault();
    const { target, currentTarget } = event;
    if (!(target instanceof Element) || !(currentTarget instanceof HTMLElement)) return;
    // The menu key has the grid as its target, and opens the menu of the active row.
    const element =
      target.closest("[role=row]") ?? document.getElementById(`${id}-${active.peek()}`);
    const row = rowAt(Number(element?.id.slice(id.length + 1)));
    if (row === null || element === null) return;
    const byKey = target === currentTarget;
    const box = element.getBoundingClientRect();
    const at = byKey ? { x: box.left + 24, y: box.bottom } : { x: event.clientX, y: event.clientY };
    try {
      const contents = await eventMenu(trace, row.event);
      if (contents !== null) contextMenu.value = { ...contents, ...at, from: currentTarget };
    } catch (error) {
      showError(error);
    }
  };

  const selected = trace.selected.value?.event;
  const isNarrow = viewWidth > 0 && viewWidth < NARROW;
  const widthsKey = isNarrow ? NARROW_WIDTHS_KEY : WIDTHS_KEY;
  const grid = eventGrid(eventColumns(trace, isNarrow), chosenWidths(widthsKey));
  const listed = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  return (
    <div class="events-grid" style={{ "--columns": grid.template, "--min-width": grid.minWidth }}>
      <div
        class="events-scroller"
        ref={scroller}
        onScroll={onScroll}
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={grid.columns.length}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={(event) => void openMenu(event)}
        aria-activedescendant={`${id}-${active.value}`}
      >
        <HeaderRow grid={grid} table={widthsKey} />
        <div class="events-height" role="presentation" style={{ height: `${extent.height}px` }}>
          <div class="events-rows" role="rowgroup" style={{ height: `${extent.viewHeight}px` }}>
            {listed.map((number) => {
              const row = rowAt(number);
              return (
                <EventTableRow
                  key={number}
                  columns={grid.columns}
                  row={row}
                  before={rowAt(number - 1)}
                  number={number}
                  id={`${id}-${number}`}
                  top={(number - first) * ROW_HEIGHT}
                  isSelected={row !== null && row.event === selected}
                  choose={choose}
                />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}
