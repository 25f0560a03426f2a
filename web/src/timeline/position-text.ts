/** Formats positions and distances as precisely as the zoom shows them. */

import type { Axis } from "../session/wire";
import { tickLength } from "../state/clock";
import {
  countText,
  durationText,
  plural,
  shownClock,
  ticksAndTimeText,
  ticksText,
} from "../state/format";
import type { Moment, SelectedRange, TraceState } from "../state/trace";
import type { EventPositions } from "./data/event-positions";
import { unitFor } from "./ruler";

/** Parts of the visible interval that a position distinguishes. */
const VISIBLE_PARTS = 2000;

/** The position of the pointer, as precise as the zoom shows it; `null` if it is elsewhere. */
export function pointerText(trace: TraceState): string | null {
  const at = trace.cursor.value;
  if (at === null) return null;
  const { start, end } = trace.window.value;
  return positionText(at, trace.axis.value, shownClock(trace), (end - start) / VISIBLE_PARTS);
}

/** A position with the decimals that distinguish it from those at a distance of `step`. */
export function positionText(at: number, axis: Axis, hz: number | null, step: number): string {
  if (axis === "index") return `event ${countText(Math.max(0, Math.floor(at)))}`;
  if (hz === null) return ticksText(at);
  const perTick = tickLength(hz);
  const [unit] = unitFor(Math.abs(at) * perTick);
  const decimals = Math.ceil(Math.log10(unit / Math.max(step * perTick, 1)));
  return durationText(Math.round(at), hz, Math.max(decimals, 3));
}

/** Length of a selected range. */
export function rangeText(trace: TraceState, range: SelectedRange, places: EventPositions): string {
  const [from, to] = [Math.min(range.start, range.end), Math.max(range.start, range.end)];
  const hz = trace.frequencyHz.value;
  if (range.axis === "time") return `Δ ${ticksAndTimeText(Math.round(to) - Math.round(from), hz)}`;
  void places.changes.value;
  const count = Math.round(to - from);
  const events = `Δ ${plural(count, "event")}`;
  const { base, events: kept } = trace.extent.value;
  const within = (at: number) =>
    Math.min(Math.max(Math.floor(at), base.event), base.event + kept - 1);
  const first = places.get(within(from));
  const last = places.get(within(to));
  if (first === null || last === null) return events;
  return `${events}, ${ticksAndTimeText(last.time - first.time, hz)}`;
}

/** Distance from marker A to marker B. */
export function betweenMarkers(trace: TraceState): string | null {
  const [a, b] = [trace.markers.a.value, trace.markers.b.value];
  return a === null || b === null ? null : `A → B ${distanceText(trace, a, b)}`;
}

/** Distance between two moments; with a minus if the second one is earlier. */
export function distanceText(trace: TraceState, from: Moment, to: Moment): string {
  const ticks = to.time - from.time;
  const sign = ticks < 0 ? "−" : "";
  const events = plural(Math.abs(to.event - from.event), "event");
  return `${sign}${ticksAndTimeText(Math.abs(ticks), trace.frequencyHz.value)}, ${events}`;
}
