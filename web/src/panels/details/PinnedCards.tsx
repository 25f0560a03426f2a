/** Details of several events side by side, beside the events in the timeline. */

import type { TraceState } from "../../state/trace";
import { Card } from "./Card";
import "./details.css";

export function PinnedCards({ trace }: { trace: TraceState }) {
  return (
    <div class="pinned-cards">
      {trace.pinned.value.map((event) => (
        <Card key={event} trace={trace} event={event} />
      ))}
    </div>
  );
}
