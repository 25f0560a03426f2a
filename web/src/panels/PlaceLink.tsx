/** A link that zooms to the place of a finding. */

import type { Finding } from "../session/reports";
import { Button } from "../shell/controls";
import { countText } from "../state/format";
import { limits } from "../state/interval";
import { showTime } from "../state/navigation";
import type { TraceState } from "../state/trace";
import { notice, showError } from "../state/viewer";

/** Number of events shown before and after the event of a finding without an interval. */
const EVENTS_AROUND = 20;

/** An interval in ticks. */
export interface TickInterval {
  from: number;
  to: number;
}

/** The interval that a finding describes; `null` if it has none. */
export function intervalOf({ start: from, end: to }: Finding): TickInterval | null {
  return from === null || to === null ? null : { from, to };
}

async function neighbourhood(trace: TraceState, event: number): Promise<TickInterval | null> {
  const { start, end } = limits(trace.extent.peek(), "index");
  const [first, last] = await Promise.all(
    [Math.max(start, event - EVENTS_AROUND), Math.min(end - 1, event + EVENTS_AROUND)].map((at) =>
      trace.client.query({ query: "locate", axis: "index", at }),
    ),
  );
  return first && last ? { from: first.time, to: last.time } : null;
}

/** Where a finding or diagnostic is. */
interface FindingPlace {
  event: number;
  interval?: TickInterval | null | undefined;
}

/** Selects the event of a finding and zooms to its interval, or to the events around it. */
async function showPlace(trace: TraceState, { event, interval }: FindingPlace): Promise<void> {
  try {
    if (!(await trace.select(event))) {
      notice.value = `There is no event ${event}.`;
      return;
    }
    const shown = interval ?? (await neighbourhood(trace, event));
    if (shown) await showTime(trace, shown.from, shown.to);
  } catch (error) {
    showError(error);
  }
}

export function PlaceLink({ trace, place }: { trace: TraceState; place: FindingPlace }) {
  return (
    <Button
      class="link"
      title={`Zoom to event ${countText(place.event)}`}
      onClick={() => void showPlace(trace, place)}
    >
      event {countText(place.event)}
    </Button>
  );
}
