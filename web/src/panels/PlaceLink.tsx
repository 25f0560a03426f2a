/** A link that zooms to the place of a finding. */

import { Button } from "../shell/controls";
import { countText } from "../state/format";
import type { TraceState } from "../state/trace";
import { type FindingPlace, showPlace } from "./finding-place";

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
