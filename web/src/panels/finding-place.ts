/** Zooms to the place of a finding. */

import type { Finding, ReportDocument } from "../session/reports";
import { limits } from "../state/interval";
import { showTime } from "../state/navigation";
import type { TraceState } from "../state/trace";
import { notice, showError } from "../state/viewer";

/** Number of events shown before and after the event of a finding. */
const EVENTS_AROUND = 20;

interface Interval {
  from: number;
  to: number;
}

/** Interval of the priority inversion that starts or ends with an event. */
async function inversionAt(trace: TraceState, event: number): Promise<Interval | null> {
  const scope = { start: null, end: null, threads: null, core: null, context: null };
  const answer = await trace.client.query({ query: "report", kinds: ["inversions"], ...scope });
  const { inversions = [] } = answer as Partial<ReportDocument>;
  const row =
    inversions.find((one) => one.start_event === event) ??
    inversions.find((one) => one.end_event === event);
  return row ? { from: row.start_ticks, to: row.end_ticks } : null;
}

async function neighbourhood(trace: TraceState, event: number): Promise<Interval | null> {
  const { start, end } = limits(trace.extent.peek(), "index");
  const [first, last] = await Promise.all(
    [Math.max(start, event - EVENTS_AROUND), Math.min(end - 1, event + EVENTS_AROUND)].map((at) =>
      trace.client.query({ query: "locate", axis: "index", at }),
    ),
  );
  return first && last ? { from: first.time, to: last.time } : null;
}

/** A finding or diagnostic with an event. */
export type FindingPlace = { event: number; category?: Finding["category"] | undefined };

/** Selects the event of a finding and zooms to its interval, or to the events around it. */
export async function showPlace(
  trace: TraceState,
  { event, category }: FindingPlace,
): Promise<void> {
  try {
    if (!(await trace.select(event))) {
      notice.value = `There is no event ${event}.`;
      return;
    }
    const isInversion = category?.endsWith("-inversion") === true;
    const interval =
      (isInversion ? await inversionAt(trace, event) : null) ?? (await neighbourhood(trace, event));
    if (interval) await showTime(trace, interval.from, interval.to);
  } catch (error) {
    showError(error);
  }
}
