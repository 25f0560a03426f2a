/** Details of several events side by side, in the lower part of the timeline. */

import type { TraceState } from "../../state/trace";
import { Card } from "./Card";
import "./details.css";

export function PinnedCards({ trace }: { trace: TraceState }) {
  return (
    <div class="pinned-cards">
      {trace.pinned.value.map((event, place) => (
        <Card key={event} trace={trace} event={event} place={place} />
      ))}
    </div>
  );
}
