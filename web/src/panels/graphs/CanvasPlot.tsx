/** A plot on a canvas, aligned with the timeline above; its items stand for events. */

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { goToEvent } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { cursorHandlers } from "./cursor-handlers";
import type { PlotPoint } from "./points";

/** Properties of a plot of points or bars. */
export interface PlotProps<S> {
  trace: TraceState;
  of: S;
  /** Colour index. */
  colour: number;
  /** Size in pixels. */
  width: number;
  height: number;
  /** The largest that is visible. */
  largest: Signal<PlotPoint | null>;
}

interface CanvasPlotProps<T> extends Omit<PlotProps<unknown>, "of" | "largest"> {
  /** Draws in pixels of the page; is called again when a signal changes that it reads. */
  draw: (context: CanvasRenderingContext2D) => void;
  /** Item at a point. */
  itemAt: (x: number, y: number) => T | null;
  /** Event that a click goes to. */
  eventOf: (item: T) => number;
  /** Text while the pointer is at an item. */
  textOf: (item: T) => string;
  children?: ComponentChildren;
}

export function CanvasPlot<T>(props: CanvasPlotProps<T>) {
  const { trace, width, height, colour, draw, itemAt, eventOf, textOf, children } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const hovered = useSignal<T | null>(null);
  const paint = () => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || width < 8) return;
    const ratio = window.devicePixelRatio;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    draw(context);
  };
  useSignalEffect(paint);
  useEffect(paint, [width, height, colour]);

  const itemUnder = (event: MouseEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    return box === undefined ? null : itemAt(event.clientX - box.left, event.clientY - box.top);
  };
  const { onPointerMove, onPointerLeave, onWheel } = cursorHandlers(trace, canvas, width);
  const item = hovered.value;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the link beside the plot is for keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div
      class="graph-plot points"
      style={{ width: `${width}px`, height: `${height}px` }}
      data-hit={item === null ? undefined : ""}
      onPointerMove={(event) => {
        onPointerMove(event);
        hovered.value = itemUnder(event);
      }}
      onPointerLeave={() => {
        onPointerLeave();
        hovered.value = null;
      }}
      onWheel={onWheel}
      onClick={(event) => {
        const hit = itemUnder(event);
        if (hit !== null) void goToEvent(trace, eventOf(hit));
      }}
    >
      <canvas ref={canvas} aria-hidden="true" style={{ width: "100%", height: "100%" }} />
      {children}
      {item !== null && <span class="graph-value mono">{textOf(item)}</span>}
    </div>
  );
}
