/** Opens the context menu of what is at a point of the timeline. */

import { addNoteAt, hasRange, keepRange } from "../../panels/bookmarks/new-bookmark";
import {
  contextMenu,
  type MenuItem,
  type MenuSection,
} from "../../shell/context-menu/context-menu";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { RULER_HEIGHT } from "../draw/ruler";
import { eventMenu } from "../event-menu";
import { laneMenu } from "../names/lane-menu";
import type { TimelineView } from "../view";

/** Items that mark a position and the selected range. */
function markSection(trace: TraceState, position: number | null): MenuSection {
  const note: MenuItem[] =
    position === null
      ? []
      : [{ title: "Add note here…", run: () => void addNoteAt(trace, position) }];
  const range: MenuItem[] = hasRange(trace)
    ? [{ title: "Keep this range…", run: () => void keepRange(trace) }]
    : [];
  return { title: "Notes", items: [...note, ...range] };
}

/**
 * Opens the menu of the event at a point, of its lane, or of the position; without a point, that of
 * the selected event.
 */
export async function openTimelineMenu(
  view: TimelineView,
  host: HTMLElement,
  point: { x: number; y: number } | null,
): Promise<void> {
  const { trace } = view;
  const selected = trace.selected.peek();
  const hit =
    point === null || point.y < RULER_HEIGHT ? null : view.hit(point.x, point.y - RULER_HEIGHT);
  const event = point === null ? selected?.event : hit?.event?.event;
  const box = host.getBoundingClientRect();
  const x = point?.x ?? view.scale().x(selected === null ? 0 : trace.position(selected));
  const at = { x: box.left + x, y: box.top + (point?.y ?? RULER_HEIGHT), from: host };
  try {
    const contents =
      event !== undefined
        ? await eventMenu(trace, event)
        : hit?.placed.row.kind === "lane"
          ? laneMenu(view, hit.placed.row.lane)
          : { label: "Timeline", heading: "Timeline", facts: [], sections: [] };
    const marks = markSection(trace, point === null ? null : view.scale().at(point.x));
    if (contents === null || (event === undefined && point === null)) return;
    const sections = marks.items.length > 0 ? [...contents.sections, marks] : contents.sections;
    contextMenu.value = { ...contents, sections, ...at };
  } catch (error) {
    showError(error);
  }
}
