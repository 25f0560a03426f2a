/** Details of one event on a card that can be moved and closed. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../shell/Icon";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
import { eventKind } from "../event-kind";
import { KindIcon } from "../legend/KindIcon";
import { useAnswer } from "../useAnswer";
import { type CardPosition, initialPosition, keepVisible } from "./card-position";
import { EventDetailsView } from "./EventDetailsView";

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
  /** Index among the pinned cards. */
  place: number;
}

export function Card({ trace, event, place }: CardProps) {
  const at = useSignal<CardPosition>({ x: 0, y: 0 });
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // The size of the area is known once the card is in the document.
    const around = card.current?.parentElement;
    if (around) at.value = initialPosition(place, around.clientHeight);
  }, []);
  const { answer, error } = useAnswer(trace, { query: "event", event }, trace.frequencyHz.value);
  const kind = answer && eventKind(trace.overview, answer.kind);
  const moveTo = (wanted: CardPosition) => {
    const own = card.current;
    const around = own?.parentElement;
    if (own && around)
      at.value = keepVisible(wanted, own.getBoundingClientRect(), around.getBoundingClientRect());
  };
  const close = () => {
    trace.pinned.value = trace.pinned.peek().filter((one) => one !== event);
  };
  const onPointerDown = (down: PointerEvent) => {
    const head = down.currentTarget;
    if (!(head instanceof HTMLElement) || (down.target as Element).closest("button")) return;
    head.setPointerCapture(down.pointerId);
    const start = at.peek();
    const move = (moved: PointerEvent) =>
      moveTo({
        x: start.x + moved.clientX - down.clientX,
        y: start.y + moved.clientY - down.clientY,
      });
    head.addEventListener("pointermove", move);
    head.addEventListener(
      "lostpointercapture",
      () => head.removeEventListener("pointermove", move),
      { once: true },
    );
  };
  const onKeyDown = (key: KeyboardEvent) => {
    const arrow = ARROWS[key.key];
    if (key.key === "Escape" || key.key === "Delete") close();
    else if (key.shiftKey && arrow) moveTo({ x: at.peek().x + arrow.x, y: at.peek().y + arrow.y });
    else return;
    key.preventDefault();
  };
  return (
    <article
      class="card"
      ref={card}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the focused card, Escape closes it
      tabIndex={0}
      aria-label={`Details of event ${event}`}
      onKeyDown={onKeyDown}
      style={{ transform: `translate(${at.value.x}px, ${at.value.y}px)` }}
    >
      <header class="card-head" onPointerDown={onPointerDown}>
        {kind && <KindIcon kind={kind} />}
        <b>{answer?.name ?? ""}</b>
        <EventLink trace={trace} event={event}>
          event {event}
        </EventLink>
        <button
          type="button"
          class="plain"
          aria-label={`Close the details of event ${event}`}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="card-content">
        {error !== null && <p class="problem">{error}</p>}
        {answer && <EventDetailsView trace={trace} details={answer} />}
      </div>
    </article>
  );
}
