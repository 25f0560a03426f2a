/** Editing of bookmarks. */

import type { Bookmark } from "../../session/wire";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";

async function replaceBookmark(trace: TraceState, event: number, by: Bookmark[]): Promise<void> {
  const others = trace.bookmarks.peek().filter((bookmark) => bookmark.event !== event);
  try {
    await trace.setBookmarks([...others, ...by]);
  } catch (error) {
    showError(error);
  }
}

/** Saves a bookmark, replacing the one at the same event. */
export function putBookmark(trace: TraceState, bookmark: Bookmark): Promise<void> {
  return replaceBookmark(trace, bookmark.event, [bookmark]);
}

/** Removes the bookmark at an event. */
export function removeBookmark(trace: TraceState, event: number): Promise<void> {
  return replaceBookmark(trace, event, []);
}
