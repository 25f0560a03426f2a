/** Columns shared by many reports. */

import type { Distribution } from "../../../session/reports";
import { countText, durationText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { EventLink } from "../../EventLink";
import type { Column } from "../../table/column";
import { Share } from "../../table/Share";

/**
 * A duration; in ticks without unit if the clock frequency is unknown. With an event, it links to
 * that event.
 */
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

/** An event number with a link. */
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

/** A share with a bar. */
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

/** Distribution of durations; the maximum links to its end. */
export function distribution<R>(
  trace: TraceState,
  of: (row: R) => Distribution | null,
): Column<R>[] {
  const part = (title: string, key: "min" | "mean" | "p50" | "p90" | "p99"): Column<R> =>
    duration(trace, title, (row) => of(row)?.[key]);
  return [
    // The most important column comes first: a narrow panel shows no more.
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
