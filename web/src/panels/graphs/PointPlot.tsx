/** Durations or values of events over time, one point each, aligned with the timeline above. */

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Axis, Plot, PlotSource } from "../../session/wire";
import { countText, shownClock } from "../../state/format";
import { goToEvent } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { palette } from "../../timeline/palette";
import { cursorHandlers } from "./cursor-handlers";
import { plotValueText } from "./graph-sources";
import { nearestPoint, type PlotPoint, scaleOf } from "./points";
import { useWindowQuery } from "./useWindowQuery";

interface PointPlotProps {
  trace: TraceState;
  of: PlotSource;
  /** Colour index. */
  colour: number;
  /** Size of the plot in pixels. */
  width: number;
  height: number;
  /** The largest visible point. */
  largest: Signal<PlotPoint | null>;
}

/** Room above the largest and below the smallest point. */
const MARGIN = 5;
const POINT = 3;
const HIT_DISTANCE = 12;

export function PointPlot({ trace, of, colour, width, height, largest }: PointPlotProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const hovered = useSignal<PlotPoint | null>(null);
  const drawn = useWindowQuery<Plot>(trace, width, JSON.stringify(of), (window, points, signal) =>
    trace.client.query({ query: "plot", source: of, window, width: points }, signal),
  );
  const scale = useSignal({ bottom: 0, top: 1 });
  const visible = (axis: Axis, plot: Plot): PlotPoint[] => {
    if (axis !== trace.axis.value) return [];
    const { start, end } = trace.window.value;
    return plot.positions.flatMap((at, index): PlotPoint[] => {
      const [value = 0, event = 0] = [plot.values[index], plot.events[index]];
      return at >= start && at <= end
        ? [{ x: ((at - start) / (end - start)) * width, value, event }]
        : [];
    });
  };
  const points = useRef<PlotPoint[]>([]);
  const share = (value: number) => {
    const { bottom, top } = scale.peek();
    return (value - bottom) / (top - bottom);
  };
  const y = (value: number) => height - MARGIN - share(value) * Math.max(height - 2 * MARGIN, 1);

  useSignalEffect(() => {
    const known = drawn.value;
    points.current = known === null ? [] : visible(known.axis, known.answer);
    const top = points.current.reduce<PlotPoint | null>(
      (best, point) => (best === null || point.value > best.value ? point : best),
      null,
    );
    scale.value = scaleOf(points.current.map(({ value }) => value));
    largest.value = top;
  });
  const draw = () => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || width < 8) return;
    const ratio = window.devicePixelRatio;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    const { graphs, line, selected } = palette();
    context.fillStyle = line;
    const { bottom, top } = scale.peek();
    for (const value of [bottom, (bottom + top) / 2, top])
      context.fillRect(0, Math.round(y(value)), width, 1);
    context.fillStyle = graphs[colour % graphs.length] ?? "";
    for (const { x, value } of points.current)
      context.fillRect(x - POINT / 2, y(value) - POINT / 2, POINT, POINT);
    const marked = points.current.find(({ event }) => event === trace.selected.value?.event);
    if (marked) {
      context.strokeStyle = selected;
      context.lineWidth = 2;
      context.strokeRect(marked.x - POINT - 1, y(marked.value) - POINT - 1, 8, 8);
    }
  };
  useSignalEffect(() => {
    void [drawn.value, trace.window.value, trace.selected.value, palette()];
    draw();
  });
  useEffect(draw, [width, height, colour]);

  const pointAt = (event: MouseEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return null;
    const at = { x: event.clientX - box.left, y: event.clientY - box.top };
    return nearestPoint(points.current, at, y, HIT_DISTANCE);
  };
  const hz = shownClock(trace);
  const { onPointerMove, onPointerLeave, onWheel } = cursorHandlers(trace, canvas, width);
  const point = hovered.value;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the link beside the plot is for keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div
      class="graph-plot points"
      style={{ width: `${width}px`, height: `${height}px` }}
      data-hit={point === null ? undefined : ""}
      onPointerMove={(event) => {
        onPointerMove(event);
        hovered.value = pointAt(event);
      }}
      onPointerLeave={() => {
        onPointerLeave();
        hovered.value = null;
      }}
      onWheel={onWheel}
      onClick={(event) => {
        const hit = pointAt(event);
        if (hit !== null) void goToEvent(trace, hit.event);
      }}
    >
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabIndex cannot be focused */}
      <canvas ref={canvas} aria-hidden="true" style={{ width: "100%", height: "100%" }} />
      <span class="graph-scale" aria-hidden="true">
        {plotValueText(of, scale.value.top, hz)}
      </span>
      {point !== null && (
        <span class="graph-value mono">
          {plotValueText(of, point.value, hz)}, event {countText(point.event)}
        </span>
      )}
    </div>
  );
}
