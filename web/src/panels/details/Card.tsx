/** Details of one event on a card that can be moved and closed. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "../../shell/controls";
import { whileDragged } from "../../shell/dragging";
import { countText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
import { eventKind } from "../event-kind";
import { KindIcon } from "../legend/KindIcon";
import { useAnswer } from "../useAnswer";
import { anchorOf, CardLeader, lanesBox } from "./CardLeader";
import { type Box, type CardPosition, freePosition, keepVisible } from "./card-position";
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
}

export function Card({ trace, event }: CardProps) {
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
