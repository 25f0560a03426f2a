/** The points of a curve in the visible part. */

import { effect, type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Axis, Curve, CurveOf } from "../../session/wire";
import type { TraceState } from "../../state/trace";
import { report } from "../../state/viewer";

/** Points, and on which axis they lie. */
export interface Drawn {
  axis: Axis;
  curve: Curve;
  /** Where what is known ends. */
  end: number;
}

/** While the visible part moves, the old points are drawn. */
const PAUSE = 80;
/** So much beyond the visible part is asked for on either side, as part of its length. */
const BEYOND = 0.5;

/** The points, for a plot of that many pixels. */
export function useCurve(
  trace: TraceState,
  of: CurveOf,
  width: number,
): ReadonlySignal<Drawn | null> {
  const drawn = useSignal<Drawn | null>(null);
  useEffect(
    () =>
      effect(() => {
        const axis = trace.axis.value;
        // Of a view that moves on by itself, at most so often.
        const { from, to } = trace.calm.value;
        void trace.news.value;
        if (width < 8) return undefined;
        const margin = (to - from) * BEYOND;
        const whole = trace.whole.peek();
        const window = {
          axis,
          from: Math.max(from - margin, whole.from),
          to: Math.min(to + margin, whole.to),
        };
        const stop = new AbortController();
        const ask = () => {
          const points = Math.min(8192, Math.round(width * 2));
          trace.door.ask({ ask: "curve", of, window, width: points }, stop.signal).then(
            (curve) => {
              drawn.value = { axis, curve, end: whole.to };
            },
            (error: unknown) => {
              if (!stop.signal.aborted) report(error);
            },
          );
        };
        const timer = setTimeout(ask, drawn.peek() === null ? 0 : PAUSE);
        return () => {
          clearTimeout(timer);
          stop.abort();
        };
      }),
    [trace, width],
  );
  return drawn;
}
