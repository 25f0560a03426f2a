/** Dragging of lane names. */

import { type Signal, useSignal } from "@preact/signals";
import type { PlacedRow } from "../layout";
import type { TimelineView } from "../view";

const DRAG = 4;

export interface RowDragging {
  /** The dragged lane. */
  lane: Signal<number | null>;
  /** Drop position, in pixels from the top of the rows. */
  lineAt: Signal<number | null>;
  begin: (event: PointerEvent, placed: PlacedRow) => void;
}

export function useRowDragging(view: TimelineView): RowDragging {
  const lane = useSignal<number | null>(null);
  const lineAt = useSignal<number | null>(null);

  const begin = (event: PointerEvent, { row, pinned }: PlacedRow) => {
    const element = event.currentTarget;
    if (event.button !== 0 || row.kind !== "lane" || row.attached) return;
    if (!(element instanceof HTMLElement)) return;
    const rows = element.closest(".lane-names");
    if (rows === null) return;
    const dragged = row.lane;
    const start = event.clientY;
    const ends = new AbortController();
    const { signal } = ends;
    let before: number | null | undefined;

    const move = (moved: PointerEvent) => {
      if (lane.value === null && Math.abs(moved.clientY - start) < DRAG) return;
      lane.value = dragged;
      const y = moved.clientY - rows.getBoundingClientRect().top;
      const target = gapAt(view, y, pinned);
      before = target?.before;
      lineAt.value = target?.y ?? null;
    };
    const end = (ended: Event) => {
      ends.abort();
      if (lane.value !== null && before !== undefined && ended.type === "pointerup") {
        view.trace.lanes.move(dragged, before);
      }
      lane.value = null;
      lineAt.value = null;
    };
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", end, { signal });
    window.addEventListener("pointercancel", end, { signal });
    window.addEventListener(
      "keydown",
      (pressed) => {
        if (pressed.key === "Escape") end(pressed);
      },
      { signal },
    );
  };
  return { lane, lineAt, begin };
}

/** Nearest gap between rows of the same stack: the lane below it, and its position. */
function gapAt(
  view: TimelineView,
  y: number,
  pinned: boolean,
): { before: number | null; y: number } | null {
  const layout = view.layout.peek();
  const top = view.scrollTop.peek();
  const over = layout.rowAt(y, top);
  const rows = (pinned ? layout.pinned : layout.scrolled).rows;
  if (over === null || over.pinned !== pinned) {
    const last = layout
      .visible(top, view.height.peek())
      .findLast((placed) => placed.pinned === pinned);
    return y > 0 && last !== undefined ? { before: null, y: last.y + last.height } : null;
  }
  const lower = y > over.y + over.height / 2;
  const next = rows
    .slice(over.index + (lower ? 1 : 0))
    .find((row) => row.kind === "lane" && !row.attached);
  const before = next?.kind === "lane" ? next.lane : null;
  return { before, y: over.y + (lower ? over.height : 0) };
}
