/** The whole trace in a strip; the box is the visible interval. */

import { effect } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { limits } from "../../state/interval";
import { CanvasSurface } from "../surface/canvas";
import { Scale } from "../transform";
import type { TimelineView } from "../view";
import { drawStrip } from "./draw-strip";
import { OverviewData } from "./overview-data";
import { StripDragging } from "./strip-dragging";
import "./overview.css";

export function OverviewStrip({ view }: { view: TimelineView }) {
  const { trace } = view;
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const whole = useMemo(() => new OverviewData(trace), [trace]);

  useLayoutEffect(() => {
    if (!host.current || !canvas.current) return undefined;
    const element = host.current;
    const surface = new CanvasSurface(canvas.current, []);
    let scheduled = 0;
    const draw = () => {
      scheduled = 0;
      const { clientWidth: width, clientHeight: height } = element;
      if (width < 1) return;
      surface.begin(width, height, window.devicePixelRatio);
      drawStrip(surface, view, whole, { width, height });
    };
    const schedule = () => {
      if (scheduled === 0) scheduled = requestAnimationFrame(draw);
    };
    const sized = new ResizeObserver(() => {
      whole.width.value = element.clientWidth;
      schedule();
    });
    sized.observe(element);
    whole.width.value = element.clientWidth;
    const stops = [
      effect(() => {
        whole.subscribe(view);
        schedule();
      }),
      ...whole.start(),
    ];
    const dragging = new StripDragging(element, trace);
    return () => {
      cancelAnimationFrame(scheduled);
      sized.disconnect();
      dragging.stop();
      for (const stop of stops) stop();
    };
  }, [view]);

  const { start: from, end: to } = trace.settledWindow.value;
  // The settled window, so that screen readers are not flooded.
  const all = limits(trace.overview, trace.axis.value);
  const part = (at: number) => Math.round(Scale.of(all, 100).x(at));
  return (
    <div
      class="overview-strip"
      ref={host}
      role="scrollbar"
      aria-label="Overview of the whole trace"
      aria-orientation="horizontal"
      aria-controls="workspace"
      tabIndex={0}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(Math.max(part((from + to) / 2), 0), 100)}
      aria-valuetext={`from ${part(from)} to ${part(to)} percent`}
    >
      <canvas ref={canvas} aria-hidden="true" />
    </div>
  );
}
