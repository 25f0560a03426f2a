/** An event number that links to the event. */

import type { ComponentChildren } from "preact";
import { goToEvent } from "../state/navigation";
import type { TraceState } from "../state/trace";

interface EventLinkProps {
  trace: TraceState;
  event: number;
  children?: ComponentChildren;
}

export function EventLink({ trace, event, children }: EventLinkProps) {
  return (
    <button
      type="button"
      class="link"
      title={`Go to event ${event}`}
      onClick={() => void goToEvent(trace, event)}
    >
      {children ?? event}
    </button>
  );
}
