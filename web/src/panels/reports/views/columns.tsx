/** Columns that many reports have. */

import { countText, durationText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { EventLink } from "../../EventLink";
import type { Column } from "../../table/column";
import { Share } from "../../table/Share";
import type { Distribution } from "../document";

/** A duration; in ticks, without the unit, if the clock is not known. With an event, a click on it goes there. */
export function duration<R>(
  trace: TraceState,
  title: string,
  ticks: (row: R) => number | null | undefined,
  event?: (row: R) => number | null | undefined,
): Column<R> {
  return {
    title,
    value: ticks,
    isNumber: true,
    show: (row) => {
      const value = ticks(row);
      if (value === null || value === undefined) return <span class="muted">–</span>;
      const clock = shownClock(trace);
      const text = clock === null ? countText(value) : durationText(value, clock);
      const at = event?.(row);
      return at === null || at === undefined ? (
        text
      ) : (
        <EventLink trace={trace} event={at}>
          {text}
        </EventLink>
      );
    },
  };
}

/** The number of an event, as a link. */
export function event<R>(
  trace: TraceState,
  title: string,
  of: (row: R) => number | null | undefined,
): Column<R> {
  return {
    title,
    value: of,
    isNumber: true,
    show: (row) => {
      const at = of(row);
      return at === null || at === undefined ? (
        <span class="muted">–</span>
      ) : (
        <EventLink trace={trace} event={at} />
      );
    },
  };
}

/** A part of a whole, with a bar. */
export function share<R>(
  title: string,
  percent: (row: R) => number | null,
  warns?: { from: number; critical: number },
): Column<R> {
  return {
    title,
    value: percent,
    isNumber: true,
    show: (row) => <Share percent={percent(row)} {...(warns ? { warns } : {})} />,
  };
}

/** Durations summed up, the longest as a link to where it ended. */
export function distribution<R>(
  trace: TraceState,
  of: (row: R) => Distribution | null,
): Column<R>[] {
  const part = (title: string, key: "min" | "mean" | "p50" | "p90" | "p99"): Column<R> =>
    duration(trace, title, (row) => of(row)?.[key]);
  return [
    // What matters most comes first: a narrow panel shows no more.
    duration(
      trace,
      "Max",
      (row) => of(row)?.max,
      (row) => of(row)?.event,
    ),
    part("99 %", "p99"),
    part("90 %", "p90"),
    part("50 %", "p50"),
    part("Mean", "mean"),
    part("Min", "min"),
    { title: "Count", value: (row) => of(row)?.count, isNumber: true },
  ];
}
