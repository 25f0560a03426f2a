/** Goes to a bookmark. */

import { batch } from "@preact/signals";
import type { Bookmark } from "../../session/wire";
import { intervalOfPlace, isAtEvent } from "../../state/bookmarks";
import { countText } from "../../state/format";
import { goToEvent, showAround } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { notice, showError } from "../../state/viewer";

/**
 * Selects the event of a bookmark, or the last event at or before its time. A range is zoomed to
 * and becomes the selected range.
 */
export async function goToBookmark(trace: TraceState, bookmark: Bookmark): Promise<void> {
  const { event, end } = bookmark;
  if (isAtEvent(bookmark)) {
    await goToEvent(trace, event);
    return;
  }
  try {
    await trace.live?.loadEvent(event);
    const ask = async (at: number) => {
      const place = await trace.client.query({ query: "locate", axis: "index", at });
      return place?.event === at ? place : null;
    };
    const [first, last] = await Promise.all([ask(event), ask(end?.event ?? event)]);
    const get = (of: number) => (of === event ? first : last);
    const axis = trace.axis.peek();
    const interval = first && last && intervalOfPlace(bookmark, axis, { get });
    if (interval === null) {
      notice.value = `There is no event ${countText(first === null ? event : (end?.event ?? event))}.`;
      return;
    }
    batch(() => {
      if (end === undefined) {
        trace.selected.value = first;
        trace.reveal(interval.start);
      } else {
        trace.range.value = { axis, ...interval };
        showAround(trace, interval.start, interval.end);
      }
    });
  } catch (error) {
    showError(error);
  }
}
