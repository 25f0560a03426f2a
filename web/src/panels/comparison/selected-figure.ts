/** The figure of a comparison that is shown: where it is from, and its durations. */

import { batch, type Signal, signal } from "@preact/signals";
import type { ComparedFigure, FigureDetails, OverlaidHistogram } from "../../session/reports";
import type { EventPosition, FigureName } from "../../session/wire";
import type { Comparison } from "../../state/comparison/comparison";
import { inverse, linkedInterval } from "../../state/comparison/link";
import type { Interval } from "../../state/interval";
import { showTime } from "../../state/navigation";
import { requestedLane } from "../../state/shown-lane";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";

/** A figure and what both recordings say about it. */
export interface SelectedFigure {
  of: FigureName;
  /** Clock frequencies that the durations are by. */
  clocks: string;
  histogram: OverlaidHistogram | null;
}

/** The clock frequencies of both recordings. */
export const clocksOf = ({ sides }: Comparison): string =>
  sides.map(({ frequencyHz }) => frequencyHz.value).join(" ");

const figures = new WeakMap<Comparison, Signal<SelectedFigure | null>>();

/** The figure that is shown, if any. */
export function selectedFigure(comparison: Comparison): Signal<SelectedFigure | null> {
  const known = figures.get(comparison) ?? signal(null);
  figures.set(comparison, known);
  return known;
}

const nameOf = ({ table, subject, figure }: ComparedFigure): FigureName => ({
  table,
  subject,
  figure,
});

/** Part of a recording that is shown around an event without a duration. */
const AROUND_EVENT = 1 / 100;

/** Length of a figure in ticks of a side; `null` if it is no duration. */
function lengthOf({ unit, before, after }: ComparedFigure, hz: number | null): number | null {
  const longest = Math.max(before, after);
  if (unit === "ticks") return longest;
  return unit === "nanoseconds" && hz !== null ? (longest * hz) / 1e9 : null;
}

/** The interval of a figure's maximum, or the surroundings of its event. */
function intervalOf(
  trace: TraceState,
  figure: ComparedFigure,
  details: FigureDetails | null,
  place: EventPosition | null,
): Interval | null {
  if (details !== null && details.start !== null && details.end !== null)
    return { start: details.start, end: details.end };
  if (place === null) return null;
  const reach =
    lengthOf(figure, trace.frequencyHz.peek()) ?? trace.extent.peek().span * AROUND_EVENT;
  return { start: place.time - reach, end: place.time + reach };
}

/** Shows where a figure is from in both recordings, side by side, and its distributions. */
export async function showFigure(comparison: Comparison, figure: ComparedFigure): Promise<void> {
  const of = nameOf(figure);
  const [before, after] = comparison.sides;
  const clocks = clocksOf(comparison);
  try {
    const found = await Promise.all(
      comparison.sides.map(({ client }) => client.query({ query: "figure", of })),
    );
    const [own = null, other = null] = found;
    const places = await Promise.all(
      comparison.sides.map(async ({ client }, side) => {
        const event = found[side]?.event ?? null;
        return event === null ? null : client.query({ query: "locate", axis: "index", at: event });
      }),
    );
    const durations = own?.durations;
    const histogram =
      durations && other?.durations
        ? await after.client.query({ query: "overlaid-histogram", of, baseline: durations })
        : null;
    selectedFigure(comparison).value = { of, clocks, histogram };
    for (const trace of comparison.sides) showSubject(trace, of.subject);
    const [from = null, to = null] = places;
    showPlaces(
      comparison,
      [from, to],
      [intervalOf(before, figure, own, from), intervalOf(after, figure, other, to)],
    );
  } catch (error) {
    showError(error);
  }
}

/** Brings the lane of a subject into view, if it has one. */
function showSubject(trace: TraceState, subject: string): void {
  const names = subject.split(" / ");
  const lane = trace.overview.lanes.findIndex(
    ({ kind, name }) => (kind === "thread" || kind === "isr") && names.includes(name),
  );
  if (lane >= 0) requestedLane(trace).value = lane;
}

/** Selects an event on each side and brings both into view; two events are aligned. */
function showPlaces(
  comparison: Comparison,
  places: readonly [EventPosition | null, EventPosition | null],
  intervals: readonly [Interval | null, Interval | null],
): void {
  const [before, after] = comparison.sides;
  const [from, to] = places;
  batch(() => {
    if (from && to && comparison.isLinked.peek()) comparison.align([from, to]);
    comparison.select(places);
  });
  const [own, other] = intervals;
  const link = comparison.isLinked.peek() ? comparison.link.peek() : null;
  if (link !== null && before.axis.peek() === "time" && own && other) {
    const mapped = linkedInterval(inverse(link), other);
    void showTime(before, Math.min(own.start, mapped.start), Math.max(own.end, mapped.end));
    return;
  }
  if (own) void showTime(before, own.start, own.end);
  if (other && (link === null || !own)) void showTime(after, other.start, other.end);
}
