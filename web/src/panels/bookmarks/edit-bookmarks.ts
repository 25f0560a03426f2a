/** Editing of bookmarks. */

import type { Bookmark } from "../../session/wire";
import { type BookmarkPlace, placeKey } from "../../state/bookmarks";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";

async function replaceBookmark(
  trace: TraceState,
  place: BookmarkPlace,
  by: Bookmark[],
): Promise<void> {
  const key = placeKey(place);
  const others = trace.bookmarks.peek().filter((bookmark) => placeKey(bookmark) !== key);
  try {
    await trace.setBookmarks([...others, ...by]);
  } catch (error) {
    showError(error);
  }
}

/** Saves a bookmark, replacing the one at the same place. */
export function putBookmark(trace: TraceState, bookmark: Bookmark): Promise<void> {
  return replaceBookmark(trace, bookmark, [bookmark]);
}

/** Removes the bookmark at a place. */
export function removeBookmark(trace: TraceState, place: BookmarkPlace): Promise<void> {
  return replaceBookmark(trace, place, []);
}
