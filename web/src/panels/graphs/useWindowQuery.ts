/** Answers for the visible interval. */

import { effect, type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Axis, Window } from "../../session/wire";
import type { TraceState } from "../../state/trace";
import { later } from "../later";

/** An answer and its axis. */
export interface WindowAnswer<A> {
  axis: Axis;
  answer: A;
  /** End of the known data. */
  end: number;
}

/** Delay while the visible interval moves, in milliseconds; existing data is drawn meanwhile. */
const PAUSE = 80;
/** Margin queried on either side, relative to the visible length. */
const MARGIN = 0.5;

/** Answers for a plot of a width in pixels; `source` identifies the query. */
export function useWindowQuery<A>(
  trace: TraceState,
  width: number,
  source: string,
  query: (window: Window, points: number, signal: AbortSignal) => Promise<A>,
): ReadonlySignal<WindowAnswer<A> | null> {
  const drawn = useSignal<WindowAnswer<A> | null>(null);
  useEffect(
    () =>
      effect(() => {
        const axis = trace.axis.value;
        // Settled, so that a following view limits the rate of queries.
        const { start, end } = trace.settledWindow.value;
        void trace.dataVersion.value;
        if (width < 8) return undefined;
        const margin = (end - start) * MARGIN;
        const whole = trace.fullInterval.peek();
        const window = {
          axis,
          start: Math.max(start - margin, whole.start),
          end: Math.min(end + margin, whole.end),
        };
        const points = Math.min(8192, Math.round(width * 2));
        return later(
          drawn.peek() === null ? 0 : PAUSE,
          (signal) => query(window, points, signal),
          (answer) => {
            drawn.value = { axis, answer, end: whole.end };
          },
        );
      }),
    [trace, width, source],
  );
  return drawn;
}

/** What is known on the current axis. */
export function onAxis<A>(
  { axis }: TraceState,
  { value: known }: ReadonlySignal<WindowAnswer<A> | null>,
): WindowAnswer<A> | null {
  return known?.axis === axis.value ? known : null;
}
