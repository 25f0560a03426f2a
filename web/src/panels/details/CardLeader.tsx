/** The line from a card to its event in the timeline. */

import type { EventDetails } from "../../session/wire";
import type { TraceState } from "../../state/trace";
import { views } from "../../timeline/view";
import { type Box, type CardAnchor, leaderStart } from "./card-position";

/** The lanes within the area of the cards. */
export function lanesBox(area: Element): Box | null {
  const lanes = area.parentElement?.querySelector(".timeline-canvases");
  if (!lanes) return null;
  const [inner, outer] = [lanes.getBoundingClientRect(), area.getBoundingClientRect()];
  return {
    x: inner.left - outer.left,
    y: inner.top - outer.top,
    width: inner.width,
    height: inner.height,
  };
}

/** Where an event is drawn in the area of the cards; `null` if its lane or time is not shown. */
export function anchorOf(
  trace: TraceState,
  event: EventDetails,
  lanes: Box | null,
): CardAnchor | null {
  const place = lanes && views.get(trace)?.placeOf(event);
  if (!place || place.x < 0 || place.x > lanes.width) return null;
  const [top, bottom] = [Math.max(0, place.top), Math.min(place.top + place.height, lanes.height)];
  if (top >= bottom) return null;
  return {
    x: lanes.x + place.x,
    y: lanes.y + (top + bottom) / 2,
    top: lanes.y + top,
    height: bottom - top,
  };
}

interface CardLeaderProps {
  trace: TraceState;
  event: EventDetails;
  area: Element;
  card: Box;
}

export function CardLeader({ trace, event, area, card }: CardLeaderProps) {
  const anchor = anchorOf(trace, event, lanesBox(area));
  if (anchor === null) return null;
  const from = leaderStart(card, anchor);
  return (
    <svg class="card-leader" aria-hidden="true">
      <line x1={from.x} y1={from.y} x2={anchor.x} y2={anchor.y} />
      <circle cx={anchor.x} cy={anchor.y} r={3} />
    </svg>
  );
}
