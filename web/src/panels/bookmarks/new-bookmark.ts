/** Opens the dialog for a bookmark at an event, at a time or on a range. */

import { type Signal, signal } from "@preact/signals";
import { openDialog } from "../../shell/dialogs/open-dialog";
import { type Anchor, type BookmarkPlace, placeText } from "../../state/bookmarks";
import { countText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { notice, showError } from "../../state/viewer";

/** The place that the dialog is about. */
export interface DraftPlace {
  place: BookmarkPlace;
  /** The place in words. */
  text: string;
}

export const draftPlace: Signal<DraftPlace | null> = signal(null);

function openBookmarkDialog(draft: DraftPlace): void {
  draftPlace.value = draft;
  openDialog.value = "bookmark";
}

/** Asks for a note at the selected event. */
export function bookmarkSelected(trace: TraceState): void {
  const event = trace.selected.peek()?.event;
  if (event !== undefined)
    openBookmarkDialog({ place: { event }, text: `at event ${countText(event)}` });
}

/** An anchor and the time of its event. */
interface LocatedAnchor {
  anchor: Anchor;
  time: number;
}

/** The anchor of a position on the current axis; `null` if no event is at or before it. */
async function locateAnchor(trace: TraceState, position: number): Promise<LocatedAnchor | null> {
  const axis = trace.axis.peek();
  const at = axis === "time" ? Math.round(position) : Math.floor(position);
  const place = await trace.client.query({ query: "locate", axis, at });
  if (place === null) return null;
  const { event, time } = place;
  const after = axis === "time" ? at - time : 0;
  return { anchor: after > 0 ? { event, ticks_after: after } : { event }, time };
}

/** Opens the dialog for a range between two positions, or for a point if they are the same. */
async function openAt(trace: TraceState, start: number, end?: number): Promise<void> {
  try {
    const first = await locateAnchor(trace, start);
    const last = end === undefined ? null : await locateAnchor(trace, end);
    if (first === null || (end !== undefined && last === null)) {
      notice.value = "No event at or before that place.";
      return;
    }
    const place = last === null ? first.anchor : { ...first.anchor, end: last.anchor };
    const found = [first, last].map((one) => one && ([one.anchor.event, one] as const));
    const known = new Map(found.filter((one) => one !== null));
    const get = (event: number) => known.get(event) ?? null;
    openBookmarkDialog({ place, text: placeText(trace, place, { get }) });
  } catch (error) {
    showError(error);
  }
}

/** Asks for a note at a position on the current axis. */
export function addNoteAt(trace: TraceState, position: number): Promise<void> {
  return openAt(trace, position);
}

/** Asks for a note at the pointer or, if it is elsewhere, in the middle of the visible part. */
export function addNoteAtPointer(trace: TraceState): Promise<void> {
  const { start, end } = trace.window.peek();
  return addNoteAt(trace, trace.cursor.peek() ?? (start + end) / 2);
}

/** Whether there is a range on the current axis. */
export function hasRange(trace: TraceState): boolean {
  return trace.range.value !== null && trace.range.value.axis === trace.axis.value;
}

/** Asks for the note of the selected range. */
export async function keepRange(trace: TraceState): Promise<void> {
  const range = trace.range.peek();
  if (range === null || range.axis !== trace.axis.peek()) return;
  const whole = trace.fullInterval.peek();
  const from = Math.max(Math.min(range.start, range.end), whole.start);
  const to = Math.max(from, Math.min(Math.max(range.start, range.end), whole.end));
  if (range.axis === "time") return openAt(trace, from, to);
  // Events are in the range if their middle is.
  const first = Math.ceil(from - 0.5);
  return openAt(trace, first, Math.max(first, Math.ceil(to - 0.5) - 1));
}
