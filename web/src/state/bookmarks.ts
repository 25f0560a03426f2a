/** Places of bookmarks: an event, a time between two events, or a range. */

import type { Axis, Bookmark, BookmarkEnd } from "../session/wire";
import { countText, durationText, shownClock } from "./format";
import type { Interval } from "./interval";
import type { Moment, TraceState } from "./trace";

/** An event, or a time after it and before the next one. */
export type Anchor = BookmarkEnd;
/** A bookmark without its note. */
export type BookmarkPlace = Omit<Bookmark, "note">;

/** Positions of events, `null` while they are unknown. */
interface Positions {
  get(event: number): { time: number } | null;
}

/** Whether a bookmark is at an event, not at a time or on a range. */
export function isAtEvent({ ticks_after: after, end }: BookmarkPlace): boolean {
  return after === undefined && end === undefined;
}

/** Identifies a place. Each has at most one bookmark. */
export function placeKey({ event, ticks_after: after, end }: BookmarkPlace): string {
  const one = (anchor: Anchor) => `${anchor.event}+${anchor.ticks_after ?? 0}`;
  const start = `${event}+${after ?? 0}`;
  return end === undefined ? start : `${start} ${one(end)}`;
}

/** The moment of an anchor; `null` while its event's position is unknown. */
export function momentOf({ event, ticks_after: after }: Anchor, known: Positions): Moment | null {
  const place = known.get(event);
  return place === null ? null : { event, time: place.time + (after ?? 0) };
}

/**
 * Where a bookmark is, in the units of an axis; `null` while its events' positions are unknown. In
 * the sequential view, a time between two events is at the border of their slots, and a range has
 * the slots of its events.
 */
export function intervalOfPlace(
  place: BookmarkPlace,
  axis: Axis,
  known: Positions,
): Interval | null {
  const { event, ticks_after: after, end } = place;
  if (axis === "index") {
    const isWhole = after === undefined;
    if (end === undefined) {
      const at = isWhole ? event + 0.5 : event + 1;
      return { start: at, end: at };
    }
    return { start: isWhole ? event : event + 1, end: end.event + 1 };
  }
  const first = momentOf(place, known);
  const last = end === undefined ? first : momentOf(end, known);
  return first && last && { start: first.time, end: last.time };
}

/** Start and end of a place as texts; the end of a point is `null`. */
export function placeTexts(
  trace: TraceState,
  place: BookmarkPlace,
  known: Positions,
): { start: string; end: string | null } {
  const text = (anchor: Anchor) => {
    const moment = momentOf(anchor, known);
    return moment === null
      ? `event ${countText(anchor.event)}`
      : durationText(moment.time, shownClock(trace));
  };
  if (isAtEvent(place)) return { start: `event ${countText(place.event)}`, end: null };
  return { start: text(place), end: place.end === undefined ? null : text(place.end) };
}

/** A place in words: `at event 5`, `at 1.250 ms`, `from 1.250 ms to 2.000 ms`. */
export function placeText(trace: TraceState, place: BookmarkPlace, known: Positions): string {
  const { start, end } = placeTexts(trace, place, known);
  return end === null ? `at ${start}` : `from ${start} to ${end}`;
}
