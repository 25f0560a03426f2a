/** Formats positions and distances as precisely as the zoom shows them. */

import type { Axis } from "../session/wire";
import { tickLength } from "../state/clock";
import { countText, plural, ticksAndTimeText, ticksText } from "../state/format";
import type { Moment, SelectedRange, TraceState } from "../state/trace";
import type { EventPositions } from "./data/event-positions";
import { stepFrom, timeLabel, unitFor } from "./ruler";

/** A position with a precision of about a pixel. */
export function positionText(at: number, axis: Axis, hz: number | null, perPixel: number): string {
  if (axis === "index") return `event ${countText(Math.max(0, Math.floor(at)))}`;
  if (hz === null) return ticksText(at);
  const perTick = tickLength(hz);
  const step = Math.max(1, stepFrom(perPixel * perTick) / 2);
  const power = 10 ** Math.floor(Math.log10(step));
  const nanoseconds = Math.round((at * perTick) / power) * power;
  return timeLabel(nanoseconds, power, unitFor(Math.abs(nanoseconds)));
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
