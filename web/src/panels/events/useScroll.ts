/** Scrolling of a table of any length. */

import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import {
  clampFirstRow,
  contentHeight,
  firstRowAfter,
  isScaled,
  reveal,
  type ScrollExtent,
  scrollPosition,
} from "./scroll";

interface RowScrolling {
  /** The row at the top, with a fractional part if it is cut off. */
  first: number;
  extent: ScrollExtent & { height: number };
  /** Rows to render, from the first to before the last, and how many fit at most. */
  from: number;
  to: number;
  seen: number;
  /** Width of the element in pixels; 0 until it is shown. */
  viewWidth: number;
  /** Scrolls a row into view. */
  show: (row: number) => void;
  onScroll: () => void;
  /** The row that a key leads to from another row; `null` if the key leads to none. */
  rowFor: (event: KeyboardEvent, from: number) => number | null;
}

/** Scrolls rows of equal height within an element, below a fixed header. */
export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number,
  headHeight: number,
): RowScrolling {
  const [viewHeight, setViewHeight] = useState(0);
  const [viewWidth, setViewWidth] = useState(0);
  const [first, setFirst] = useState(0);
  const extent = { rows, rowHeight, viewHeight };
  // Current state for event handlers.
  const now = useRef({ extent, first, position: 0, wanted: null as number | null });
  now.current.extent = extent;

  const go = useCallback((wanted: number) => {
    const state = now.current;
    state.first = clampFirstRow(wanted, state.extent);
    state.position = scrollPosition(state.first, state.extent);
    if (scroller.current) {
      scroller.current.scrollTop = state.position;
      // Browsers round scroll positions.
      state.position = scroller.current.scrollTop;
    }
    setFirst(state.first);
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      setViewHeight(Math.max(0, element.clientHeight - headHeight));
      setViewWidth(element.clientWidth);
    });
    observer.observe(element);
    const onWheel = (event: WheelEvent) => {
      const { extent: known, first: before } = now.current;
      if (event.ctrlKey || event.shiftKey || !isScaled(known)) return;
      event.preventDefault();
      const pixels =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * rowHeight : event.deltaY;
      go(before + pixels / rowHeight);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener("wheel", onWheel);
    };
  }, []);

  // Keep the first row when the number of rows or the height changes.
  useEffect(() => {
    const { wanted, first: before, extent: known } = now.current;
    if (wanted === null || known.viewHeight === 0) {
      go(before);
      return;
    }
    now.current.wanted = null;
    go(reveal(wanted, before, known));
  }, [rows, viewHeight]);

  const show = useCallback((row: number) => {
    const { extent: known, first: before } = now.current;
    if (known.viewHeight > 0) go(reveal(row, before, known));
    // Until the height is known.
    else now.current.wanted = row;
  }, []);

  const onScroll = useCallback(() => {
    const state = now.current;
    const position = scroller.current?.scrollTop ?? 0;
    if (Math.abs(position - state.position) < 1) return;
    state.first = firstRowAfter(state.first, state.position, position, state.extent);
    state.position = position;
    setFirst(state.first);
  }, []);

  const rowFor = (event: KeyboardEvent, active: number): number | null => {
    if (event.ctrlKey || event.metaKey || event.altKey) return null;
    const page = Math.max(1, Math.floor(viewHeight / rowHeight) - 1);
    const places: Record<string, number> = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      PageUp: active - page,
      PageDown: active + page,
      Home: 0,
      End: rows - 1,
    };
    const row = places[event.key];
    return row === undefined || rows === 0 ? null : Math.min(Math.max(0, row), rows - 1);
  };

  const seen = Math.ceil(viewHeight / rowHeight) + 1;
  const from = Math.floor(first);
  return {
    first,
    extent: { ...extent, height: contentHeight(extent) },
    from,
    to: Math.min(rows, from + seen),
    seen,
    viewWidth,
    show,
    onScroll,
    rowFor,
  };
}
