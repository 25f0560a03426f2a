/** The messages of an object, a bar each from put to end, aligned with the timeline above. */

import { useSignalEffect } from "@preact/signals";
import type { MessageBars } from "../../session/wire";
import { plural, shownClock } from "../../state/format";
import { palette } from "../../timeline/palette";
import { CanvasPlot, type PlotProps } from "./CanvasPlot";
import type { MessageSource } from "./graph-sources";
import { barAt, type MessageBar, messageText, visibleBars } from "./message-bars";
import { onAxis, useWindowQuery } from "./useWindowQuery";

/** Maximum number of messages that are listed. */
const LIMIT = 4096;
const MARGIN = 4;
const MAX_BAR_HEIGHT = 18;
const MIN_BAR_HEIGHT = 2;
/** Space between bars, if they are high enough. */
const GAP = 2;

export function MessagePlot({ largest, of, ...size }: PlotProps<MessageSource>) {
  const { trace, colour, width, height } = size;
  const drawn = useWindowQuery<MessageBars>(trace, width, JSON.stringify(of), (window, _, signal) =>
    trace.client.query({ query: "messages", resource: of.resource, window, limit: LIMIT }, signal),
  );
  const current = () => onAxis(trace, drawn)?.answer ?? null;
  const visible = (): MessageBar[] => {
    const bars = current();
    return bars === null ? [] : visibleBars(bars, trace.window.value, width);
  };
  const rowHeight = (bars: readonly MessageBar[]) => {
    const rows = bars.reduce((most, { row }) => Math.max(most, row + 1), 1);
    return Math.min(MAX_BAR_HEIGHT, Math.max(MIN_BAR_HEIGHT, (height - 2 * MARGIN) / rows));
  };
  useSignalEffect(() => {
    const last = visible().reduce<MessageBar | null>(
      (best, bar) => (best === null || bar.ticks > best.ticks ? bar : best),
      null,
    );
    largest.value = last && { x: last.left, value: last.ticks, event: last.put };
  });
  const draw = (context: CanvasRenderingContext2D) => {
    const { graphs, selected } = palette();
    const bars = visible();
    const step = rowHeight(bars);
    const top = (row: number) => height - MARGIN - (row + 1) * step;
    const own = graphs[colour % graphs.length] ?? "";
    const high = step - (step > 3 * GAP ? GAP : 0);
    context.fillStyle = own;
    context.strokeStyle = own;
    for (const { left, right, row, ending } of bars) {
      const length = Math.max(right - left, 1);
      if (ending === "taken") context.fillRect(left, top(row), length, high);
      else if (high > 3) context.strokeRect(left + 0.5, top(row) + 0.5, length, high - 1);
      else context.fillRect(left, top(row), length, 1);
    }
    const at = trace.selected.value?.event;
    const marked = bars.find(({ put, end }) => put === at || end === at);
    if (marked) {
      context.strokeStyle = selected;
      context.lineWidth = 2;
      const length = Math.max(marked.right - marked.left, 1);
      context.strokeRect(marked.left - 2, top(marked.row) - 2, length + 4, high + 4);
    }
  };
  const itemAt = (x: number, y: number) => {
    const bars = visible();
    return barAt(bars, x, Math.floor((height - MARGIN - y) / rowHeight(bars)));
  };
  const total = current()?.total ?? 0;
  return (
    <CanvasPlot
      {...size}
      draw={draw}
      itemAt={itemAt}
      eventOf={({ put }) => put}
      textOf={(bar) => messageText(trace.overview, bar, shownClock(trace))}
    >
      {total > LIMIT && (
        <p class="graph-note">{plural(total, "message")} here: zoom in to see each.</p>
      )}
    </CanvasPlot>
  );
}
