/** Details of several events on cards that can be moved and closed, each with a line to its event in the timeline. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { EventDetails } from "../../session/wire";
import { IconButton } from "../../shell/controls";
import { whileDragged } from "../../shell/dragging";
import { countText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { views } from "../../timeline/view";
import { EventLink } from "../EventLink";
import { eventKind } from "../event-kind";
import { KindIcon } from "../legend/KindIcon";
import { useAnswer } from "../useAnswer";
import {
  type Box,
  type CardAnchor,
  type CardPosition,
  freePosition,
  keepVisible,
  leaderStart,
} from "./card-position";
import { EventDetailsView } from "./EventDetailsView";
import "./details.css";

/** The lanes within the area of the cards. */
function lanesBox(area: Element): Box | null {
  const find = (selector: string) => area.parentElement?.querySelector(selector);
  const active = find(".compared-side[data-active] .timeline-canvases");
  const lanes = active ?? find(".timeline-canvases");
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
function anchorOf(trace: TraceState, event: EventDetails, lanes: Box | null): CardAnchor | null {
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

function CardLeader({ trace, event, area, card }: CardLeaderProps) {
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

const STEP = 10;
const ARROWS: Record<string, CardPosition> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

interface CardProps {
  trace: TraceState;
  event: number;
}

function Card({ trace, event }: CardProps) {
  const box = useSignal<Box | null>(null);
  const card = useRef<HTMLElement>(null);
  const { answer, error } = useAnswer(trace, { query: "event", event }, trace.frequencyHz.value);
  const kind = answer && eventKind(trace.overview, answer.kind);
  const isLoaded = answer !== null || error !== null;
  const moveTo = (wanted: CardPosition) => {
    const own = card.current;
    const around = own?.parentElement;
    if (!own || !around) return;
    const { width, height } = own.getBoundingClientRect();
    const at = keepVisible(wanted, { width, height }, around.getBoundingClientRect());
    box.value = { ...at, width, height };
  };
  useLayoutEffect(() => {
    const own = card.current;
    const around = own?.parentElement;
    if (!own || !around || !isLoaded) return undefined;
    const whole = around.getBoundingClientRect();
    const others = [...around.querySelectorAll(".card[data-placed]")].flatMap((other) => {
      const { left, top, width, height } = other.getBoundingClientRect();
      return other === own ? [] : [{ x: left - whole.left, y: top - whole.top, width, height }];
    });
    const lanes = lanesBox(around);
    const size = own.getBoundingClientRect();
    const fits = lanes !== null && lanes.width >= size.width && lanes.height >= size.height;
    const room = fits ? lanes : { x: 0, y: 0, width: whole.width, height: whole.height };
    moveTo(freePosition(size, answer && anchorOf(trace, answer, lanes), others, room));
    // A smaller window or a higher panel must not hide the card.
    const observer = new ResizeObserver(() => box.peek() && moveTo(box.peek() as Box));
    observer.observe(around);
    return () => observer.disconnect();
  }, [isLoaded]);
  const close = () => {
    trace.pinned.value = trace.pinned.peek().filter((one) => one !== event);
  };
  const onPointerDown = (down: PointerEvent) => {
    const head = down.currentTarget;
    if (!(head instanceof HTMLElement) || (down.target as Element).closest("button")) return;
    const start = box.peek() ?? { x: 0, y: 0 };
    whileDragged(head, down, (moved) =>
      moveTo({
        x: start.x + moved.clientX - down.clientX,
        y: start.y + moved.clientY - down.clientY,
      }),
    );
  };
  const onKeyDown = (key: KeyboardEvent) => {
    const arrow = ARROWS[key.key];
    const start = box.peek() ?? { x: 0, y: 0 };
    if (key.key === "Escape" || key.key === "Delete") close();
    else if (key.shiftKey && arrow) moveTo({ x: start.x + arrow.x, y: start.y + arrow.y });
    else return;
    key.preventDefault();
  };
  return (
    <>
      {box.value && answer && card.current?.parentElement && (
        <CardLeader
          trace={trace}
          event={answer}
          area={card.current.parentElement}
          card={box.value}
        />
      )}
      <article
        class="card"
        ref={card}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the focused card, Escape closes it
        tabIndex={0}
        aria-label={`Details of event ${event}`}
        onKeyDown={onKeyDown}
        {...(box.value ? { "data-placed": "" } : {})}
        style={
          box.value
            ? { transform: `translate(${box.value.x}px, ${box.value.y}px)` }
            : { visibility: "hidden" }
        }
      >
        <header class="card-head" onPointerDown={onPointerDown}>
          <h2 class="hidden-text">Details of event {event}</h2>
          {kind && <KindIcon kind={kind} />}
          <b>{answer?.name ?? ""}</b>
          <EventLink trace={trace} event={event}>
            event {countText(event)}
          </EventLink>
          <IconButton icon="close" label={`Close the details of event ${event}`} onClick={close} />
        </header>
        <div class="card-content">
          {error !== null && <p class="problem">{error}</p>}
          {answer && <EventDetailsView trace={trace} details={answer} />}
        </div>
      </article>
    </>
  );
}

export function PinnedCards({ trace }: { trace: TraceState }) {
  return (
    <div class="pinned-cards">
      {trace.pinned.value.map((event) => (
        <Card key={event} trace={trace} event={event} />
      ))}
    </div>
  );
}
