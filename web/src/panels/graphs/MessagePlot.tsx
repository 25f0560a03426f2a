/** The messages of an object, a bar each from put to end, aligned with the timeline above. */

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { MessageBars } from "../../session/wire";
import { plural, shownClock } from "../../state/format";
import { goToEvent } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { palette } from "../../timeline/palette";
import { cursorHandlers } from "./cursor-handlers";
import type { MessageSource } from "./graph-sources";
import { barAt, type MessageBar, messageText, visibleBars } from "./message-bars";
import type { PlotPoint } from "./points";
import { useWindowQuery } from "./useWindowQuery";

interface MessagePlotProps {
  trace: TraceState;
  of: MessageSource;
  /** Colour index. */
  colour: number;
  /** Size of the plot in pixels. */
  width: number;
  height: number;
  /** The message that is visible and longest in the object. */
  longest: Signal<PlotPoint | null>;
}

/** Maximum number of messages that are listed. */
const LIMIT = 4096;
const MARGIN = 4;
const MAX_BAR_HEIGHT = 18;
const MIN_BAR_HEIGHT = 2;
/** Space between bars, if they are high enough. */
const GAP = 2;

export function MessagePlot({ trace, of, colour, width, height, longest }: MessagePlotProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const hovered = useSignal<MessageBar | null>(null);
  const drawn = useWindowQuery<MessageBars>(trace, width, JSON.stringify(of), (window, _, signal) =>
    trace.client.query({ query: "messages", resource: of.resource, window, limit: LIMIT }, signal),
  );
  const total = useSignal(0);
  const bars = useRef<MessageBar[]>([]);
  const rowHeight = useRef(MAX_BAR_HEIGHT);
  const top = (row: number) => height - MARGIN - (row + 1) * rowHeight.current;

  useSignalEffect(() => {
    const known = drawn.value;
    const { start, end } = trace.window.value;
    const isCurrent = known !== null && known.axis === trace.axis.value;
    total.value = isCurrent ? known.answer.total : 0;
    bars.current = isCurrent ? visibleBars(known.answer, { start, end }, width) : [];
    const last = bars.current.reduce<MessageBar | null>(
      (best, bar) => (best === null || bar.ticks > best.ticks ? bar : best),
      null,
    );
    longest.value = last && { x: last.left, value: last.ticks, event: last.put };
    const rows = bars.current.reduce((most, { row }) => Math.max(most, row + 1), 1);
    rowHeight.current = Math.min(
      MAX_BAR_HEIGHT,
      Math.max(MIN_BAR_HEIGHT, (height - 2 * MARGIN) / rows),
    );
  });
  const draw = () => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || width < 8) return;
    const ratio = window.devicePixelRatio;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    const { graphs, selected } = palette();
    const own = graphs[colour % graphs.length] ?? "";
    const high = rowHeight.current - (rowHeight.current > 3 * GAP ? GAP : 0);
    context.fillStyle = own;
    context.strokeStyle = own;
    for (const { left, right, row, ending } of bars.current) {
      const length = Math.max(right - left, 1);
      if (ending === "taken") context.fillRect(left, top(row), length, high);
      else if (high > 3) context.strokeRect(left + 0.5, top(row) + 0.5, length, high - 1);
      else context.fillRect(left, top(row), length, 1);
    }
    const at = trace.selected.value?.event;
    const marked = bars.current.find(({ put, end }) => put === at || end === at);
    if (marked) {
      context.strokeStyle = selected;
      context.lineWidth = 2;
      context.strokeRect(
        marked.left - 2,
        top(marked.row) - 2,
        Math.max(marked.right - marked.left, 1) + 4,
        high + 4,
      );
    }
  };
  useSignalEffect(() => {
    void [drawn.value, trace.window.value, trace.selected.value, palette()];
    draw();
  });
  useEffect(draw, [width, height, colour]);

  const barUnder = (event: MouseEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return null;
    const row = Math.floor((height - MARGIN - (event.clientY - box.top)) / rowHeight.current);
    return barAt(bars.current, event.clientX - box.left, row);
  };
  const { onPointerMove, onPointerLeave, onWheel } = cursorHandlers(trace, canvas, width);
  const bar = hovered.value;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the link beside the plot is for keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div
      class="graph-plot points"
      style={{ width: `${width}px`, height: `${height}px` }}
      data-hit={bar === null ? undefined : ""}
      onPointerMove={(event) => {
        onPointerMove(event);
        hovered.value = barUnder(event);
      }}
      onPointerLeave={() => {
        onPointerLeave();
        hovered.value = null;
      }}
      onWheel={onWheel}
      onClick={(event) => {
        const hit = barUnder(event);
        if (hit !== null) void goToEvent(trace, hit.put);
      }}
    >
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabIndex cannot be focused */}
      <canvas ref={canvas} aria-hidden="true" style={{ width: "100%", height: "100%" }} />
      {total.value > LIMIT && (
        <p class="graph-note">{plural(total.value, "message")} here: zoom in to see each.</p>
      )}
      {bar !== null && (
        <span class="graph-value mono">{messageText(trace.overview, bar, shownClock(trace))}</span>
      )}
    </div>
  );
}
