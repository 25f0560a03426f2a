/** An event number that links to the event. */

import type { ComponentChildren } from "preact";
import { Button } from "../shell/controls";
import { countText } from "../state/format";
import { goToEvent } from "../state/navigation";
import type { TraceState } from "../state/trace";

interface EventLinkProps {
  trace: TraceState;
  event: number;
  children?: ComponentChildren;
}

export function EventLink({ trace, event, children }: EventLinkProps) {
  return (
    <Button
      class="link"
      title={`Go to event ${countText(event)}`}
      onClick={() => void goToEvent(trace, event)}
    >
      {children ?? countText(event)}
    </Button>
  );
}
