/** Filters that select the events at the two ends of a range. */

import type { EventPosition } from "../../session/wire";
import type { SelectedRange, TraceState } from "../../state/trace";
import { quoteName } from "../search/compose-filter";

/** A filter for the kind and the context of an event. */
function filterOf({ overview }: TraceState, { kind, context }: EventPosition): string {
  const name = overview.kinds.find(({ id }) => id === kind)?.name;
  const event = name === undefined ? `number == ${kind}` : `kind == ${quoteName(name)}`;
  const of = overview.contexts[context];
  return of?.kind === "thread" || of?.kind === "active-object"
    ? `${event} and context == ${quoteName(of.name)}`
    : event;
}

/** Filters for the first and the last event of a range; `null` if it has fewer than two. */
export async function rangeFilters(
  trace: TraceState,
  { axis, start, end }: SelectedRange,
): Promise<{ from: string; to: string } | null> {
  const [low, high] = [Math.min(start, end), Math.max(start, end)];
  const locate = (at: number, of = axis) => trace.client.query({ query: "locate", axis: of, at });
  const [before, last] = await Promise.all([locate(low), locate(high)]);
  const position = (place: EventPosition) => (axis === "time" ? place.time : place.event);
  const first =
    before !== null && position(before) >= Math.floor(low)
      ? before
      : await locate((before?.event ?? trace.extent.peek().base.event - 1) + 1, "index");
  if (first === null || last === null || first.event >= last.event) return null;
  return { from: filterOf(trace, first), to: filterOf(trace, last) };
}
