/** Durations or values of events over time, one point each, aligned with the timeline above. */

import { useComputed, useSignalEffect } from "@preact/signals";
import type { Plot, PlotSource } from "../../session/wire";
import { countText, shownClock } from "../../state/format";
import { palette } from "../../timeline/palette";
import { CanvasPlot, type PlotProps } from "./CanvasPlot";
import { plotValueText } from "./graph-sources";
import { nearestPoint, type PlotPoint, scaleOf } from "./points";
import { onAxis, useWindowQuery } from "./useWindowQuery";

/** Room above the largest and below the smallest point. */
const MARGIN = 5;
const POINT = 3;
const HIT_DISTANCE = 12;

export function PointPlot({ largest, of, ...size }: PlotProps<PlotSource>) {
  const { trace, colour, width, height } = size;
  const drawn = useWindowQuery<Plot>(trace, width, JSON.stringify(of), (window, points, signal) =>
    trace.client.query({ query: "plot", source: of, window, width: points }, signal),
  );
  const visible = (): PlotPoint[] => {
    const known = onAxis(trace, drawn);
    if (known === null) return [];
    const { start, end } = trace.window.value;
    const { positions, values, events } = known.answer;
    return positions.flatMap((at, index): PlotPoint[] => {
      const [value = 0, event = 0] = [values[index], events[index]];
      return at >= start && at <= end
        ? [{ x: ((at - start) / (end - start)) * width, value, event }]
        : [];
    });
  };
  const scale = useComputed(() => scaleOf(visible().map(({ value }) => value)));
  const y = (value: number) => {
    const { bottom, top } = scale.value;
    return height - MARGIN - ((value - bottom) / (top - bottom)) * Math.max(height - 2 * MARGIN, 1);
  };
  useSignalEffect(() => {
    largest.value = visible().reduce<PlotPoint | null>(
      (best, point) => (best === null || point.value > best.value ? point : best),
      null,
    );
  });
  const draw = (context: CanvasRenderingContext2D) => {
    const { graphs, line, selected } = palette();
    const points = visible();
    context.fillStyle = line;
    const { bottom, top } = scale.value;
    for (const value of [bottom, (bottom + top) / 2, top])
      context.fillRect(0, Math.round(y(value)), width, 1);
    context.fillStyle = graphs[colour % graphs.length] ?? "";
    for (const { x, value } of points)
      context.fillRect(x - POINT / 2, y(value) - POINT / 2, POINT, POINT);
    const marked = points.find(({ event }) => event === trace.selected.value?.event);
    if (marked) {
      context.strokeStyle = selected;
      context.lineWidth = 2;
      context.strokeRect(marked.x - POINT - 1, y(marked.value) - POINT - 1, 8, 8);
    }
  };
  const hz = shownClock(trace);
  return (
    <CanvasPlot
      {...size}
      draw={draw}
      itemAt={(atX, atY) => nearestPoint(visible(), { x: atX, y: atY }, y, HIT_DISTANCE)}
      eventOf={({ event }) => event}
      textOf={({ value, event }) => `${plotValueText(of, value, hz)}, event ${countText(event)}`}
    >
      <span class="graph-scale" aria-hidden="true">
        {plotValueText(of, scale.value.top, hz)}
      </span>
    </CanvasPlot>
  );
}
