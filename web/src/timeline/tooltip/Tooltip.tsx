/** Tooltip of the item under the resting pointer. */

import { untracked, useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { FactList } from "../../panels/FactList";
import { RULER_HEIGHT } from "../draw/ruler";
import type { Hit } from "../hit";
import type { TimelineView } from "../view";
import { bookmarkFacts, type Facts, queryFacts } from "./facts";
import "./tooltip.css";

/** Delay in milliseconds. */
const DELAY = 280;
/** Distance from the pointer and from the edges. */
const DISTANCE = 14;
const EDGE = 4;

interface ShownTooltip {
  facts: Facts;
  x: number;
  y: number;
}

/** Identifies the subject of a hit: the tooltip stays while the subject is the same. */
function subjectKey({ hovered, trace }: TimelineView): string {
  const hit: Hit | null = hovered.value;
  // Panning and zooming move the subject away from the pointer.
  const { start: from } = trace.window.value;
  if (hit === null || hit.placed.row.kind === "group") return "";
  const of = hit.post
    ? `post ${hit.post.event}`
    : hit.load
      ? `load ${hit.load.core} ${hit.load.start} ${hit.load.of?.name}`
      : hit.result !== null
        ? `result ${hit.result}`
        : hit.event
          ? `event ${hit.event.event}`
          : hit.bar
            ? `bar ${hit.bar.left}`
            : `at ${hit.at}`;
  const row = hit.placed.row.kind === "lane" ? hit.placed.row.lane : "";
  return `${row} ${of} ${from}`;
}

export function Tooltip({ view }: { view: TimelineView }) {
  const shown = useSignal<ShownTooltip | null>(null);
  const subject = useRef("");
  const box = useRef<HTMLDivElement>(null);

  useSignalEffect(() => {
    const hit = view.hovered.value;
    const noted = view.hoveredFlag.value;
    if (noted !== null) {
      subject.current = "";
      shown.value = { facts: bookmarkFacts(view, noted), x: noted.x, y: RULER_HEIGHT / 2 };
      return undefined;
    }
    const now = subjectKey(view);
    if (now === subject.current && shown.peek() !== null) return undefined;
    subject.current = now;
    shown.value = null;
    if (hit === null || now === "") return undefined;
    const cancelled = new AbortController();
    const timer = setTimeout(() => {
      queryFacts(view, hit, cancelled.signal)
        .then((facts) => {
          if (facts === null || cancelled.signal.aborted) return;
          shown.value = { facts, x: view.scale().x(hit.at), y: hit.y + RULER_HEIGHT };
        })
        .catch(() => {
          // A failed tooltip needs no message.
        });
    }, DELAY);
    return () => {
      clearTimeout(timer);
      if (subject.current !== untracked(() => subjectKey(view))) cancelled.abort();
    };
  });

  useSignalEffect(() => {
    view.itemPath.value = shown.value?.facts.path ?? [];
  });

  useLayoutEffect(() => {
    const element = box.current;
    const at = shown.value;
    const around = element?.parentElement;
    if (!element || !around || at === null) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const right = at.x + DISTANCE + width <= around.clientWidth - EDGE;
    const below = at.y + DISTANCE + height <= around.clientHeight - EDGE;
    const left = right ? at.x + DISTANCE : at.x - DISTANCE - width;
    const top = below ? at.y + DISTANCE : at.y - DISTANCE - height;
    element.style.left = `${Math.max(EDGE, left)}px`;
    element.style.top = `${Math.max(EDGE, Math.min(top, around.clientHeight - height - EDGE))}px`;
  });

  if (shown.value === null) return null;
  const { title, rows } = shown.value.facts;
  return (
    <div class="timeline-tooltip" role="tooltip" ref={box}>
      <strong>{title}</strong>
      <FactList facts={rows} />
    </div>
  );
}
