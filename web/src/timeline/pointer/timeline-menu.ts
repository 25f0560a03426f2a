/** Opens the context menu of what is at a point of the timeline. */

import { contextMenu } from "../../shell/context-menu/context-menu";
import { showError } from "../../state/viewer";
import { RULER_HEIGHT } from "../draw/ruler";
import { eventMenu } from "../event-menu";
import { laneMenu } from "../names/lane-menu";
import type { TimelineView } from "../view";

/**
 * Opens the menu of the event at a point, or of its lane; without a point, that of the selected
 * event.
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
          : null;
    if (contents !== null) contextMenu.value = { ...contents, ...at };
  } catch (error) {
    showError(error);
  }
}
