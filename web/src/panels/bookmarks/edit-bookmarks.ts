/** Editing of bookmarks. */

import type { Bookmark } from "../../session/wire";
import { type BookmarkPlace, placeKey } from "../../state/bookmarks";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";

/** The bookmark at a place. */
export function bookmarkAt(trace: TraceState, place: BookmarkPlace): Bookmark | undefined {
  const key = placeKey(place);
  return trace.bookmarks.peek().find((bookmark) => placeKey(bookmark) === key);
}

/** Saves a bookmark, instead of the one that the user saw at its place. */
export function putBookmark(
  trace: TraceState,
  bookmark: Bookmark,
  seen: Bookmark | undefined,
): Promise<void> {
  return trace.putBookmark(bookmark, seen?.note ?? null).catch(showError);
}

/** Removes a bookmark as the user saw it. */
export function removeBookmark(trace: TraceState, bookmark: Bookmark): Promise<void> {
  return trace.removeBookmark(bookmark).catch(showError);
}
