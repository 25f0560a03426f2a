/** One graph, aligned with the timeline above it. */

import { effect, type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Graph, GraphSource } from "../../session/wire";
import { shownTheme } from "../../shell/theme";
import { countText, grouped } from "../../state/format";
import type { TraceState } from "../../state/trace";
import type { PlotProps } from "./CanvasPlot";
import { cursorHandlers } from "./cursor-handlers";
import { makePlot } from "./plot";
import { plotTop, scaleMax, series, valueAt } from "./series";
import { onAxis, useWindowQuery, type WindowAnswer } from "./useWindowQuery";

export function GraphPlot({
  trace,
  of,
  colour,
  width,
  height,
}: Omit<PlotProps<GraphSource>, "largest">) {
  const place = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const plot = useSignal<uPlot | null>(null);
  const drawn = useWindowQuery<Graph>(trace, width, JSON.stringify(of), (window, points, signal) =>
    trace.client.query({ query: "graph", source: of, window, width: points }, signal),
  );
  const isPercent = of.kind === "load";
  const theme = shownTheme.value;

  useEffect(() => {
    if (!place.current || width < 8) return undefined;
    const made = makePlot(place.current, { width, height, colour });
    plot.value = made;
    return () => {
      plot.value = null;
      made.destroy();
    };
  }, [colour, theme, width > 8]);
  useEffect(() => {
    plot.value?.setSize({ width, height });
  }, [width, height]);

  // New data.
  useSignalEffect(() => {
    const made = plot.value;
    const known = onAxis(trace, drawn);
    if (!made || !known) return;
    const { start: from, end: to } = trace.window.peek();
    made.batch(() => {
      made.setData(series(known.answer, known.end), false);
      made.setScale("y", { min: 0, max: plotTop(known.answer, isPercent) });
      made.setScale("x", { min: from, max: to });
    });
    // Without changed scales, the plot does not redraw by itself.
    made.redraw();
  });
  // Existing data while the visible interval moves.
  useSignalEffect(() => {
    const { start: from, end: to } = trace.window.value;
    plot.value?.setScale("x", { min: from, max: to });
  });
  useEffect(
    () =>
      effect(() => {
        const at = trace.cursor.value;
        const { start: from, end: to } = trace.window.value;
        if (!line.current) return;
        const isVisible = at !== null && at >= from && at <= to;
        line.current.hidden = !isVisible;
        if (isVisible)
          line.current.style.transform = `translateX(${((at - from) / (to - from)) * width}px)`;
      }),
    [trace, width],
  );

  return (
    <div
      class="graph-plot"
      style={{ width: `${width}px`, height: `${height}px` }}
      {...cursorHandlers(trace, place, width)}
    >
      <div ref={place} />
      <div ref={line} class="graph-cursor" hidden />
      {drawn.value && (
        <span class="graph-scale" aria-hidden="true">
          {isPercent ? "100 %" : countText(scaleMax(drawn.value.answer))}
        </span>
      )}
      <ValueAtPointer trace={trace} drawn={drawn} isPercent={isPercent} />
    </div>
  );
}

interface ValueProps {
  trace: TraceState;
  drawn: ReadonlySignal<WindowAnswer<Graph> | null>;
  isPercent: boolean;
}

/** Value at the pointer. */
function ValueAtPointer({ trace, drawn, isPercent }: ValueProps) {
  const at = trace.cursor.value;
  const known = onAxis(trace, drawn);
  if (at === null || known === null) return null;
  const range = valueAt(known.answer, at);
  if (range === null) return <span class="graph-value">unknown</span>;
  const text = (value: number) => (isPercent ? value.toFixed(1) : grouped(String(value)));
  const [low, high] = range.map(text);
  return (
    <span class="graph-value mono">
      {low === high ? high : `${low} … ${high}`}
      {isPercent && " %"}
    </span>
  );
}
