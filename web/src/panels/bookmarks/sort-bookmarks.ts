/** Orders of bookmarks in the panel. */

import type { Bookmark } from "../../session/wire";
import { intervalOfPlace } from "../../state/bookmarks";
import { compareNames } from "../../state/format";

export type BookmarkOrder = "place" | "note" | "length";

/** All orders. */
export const ORDERS: readonly { by: BookmarkOrder; title: string }[] = [
  { by: "place", title: "place" },
  { by: "note", title: "note" },
  { by: "length", title: "length, longest first" },
];

/** Sorts bookmarks that are in order of their places; equal ones stay in this order. */
export function sortBookmarks(
  bookmarks: readonly Bookmark[],
  by: BookmarkOrder,
  positions: Parameters<typeof intervalOfPlace>[2],
): readonly Bookmark[] {
  if (by === "place") return bookmarks;
  if (by === "note") {
    return bookmarks.toSorted((one, other) => compareNames(one.note, other.note));
  }
  const length = (bookmark: Bookmark) => {
    const interval = intervalOfPlace(bookmark, "time", positions);
    return interval === null ? 0 : interval.end - interval.start;
  };
  return bookmarks.toSorted((one, other) => length(other) - length(one));
}
