/** Announces the selected event to screen readers. */

import { useAnswer } from "../panels/useAnswer";
import { countText, durationText, shownClock } from "../state/format";
import type { TraceState } from "../state/trace";

export function StepAnnouncer({ trace }: { trace: TraceState }) {
  const selected = trace.selected.value;
  const { answer } = useAnswer(
    trace,
    selected && { query: "event", event: selected.event },
    null,
    true,
  );
  const context = answer && trace.overview.contexts[answer.context];
  return (
    <div class="hidden-text" role="status" aria-label="Selected event">
      {selected !== null &&
        answer?.event === selected.event &&
        `Event ${countText(answer.event)}: ${answer.name}, ${context?.name ?? "unknown context"}, at ${durationText(answer.time, shownClock(trace))}`}
    </div>
  );
}
