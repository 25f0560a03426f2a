/** Reports on the selected range. */

import { useSignal, useSignalEffect } from "@preact/signals";
import type { QueryOf } from "../../session/client";
import type { ReportTables } from "../../session/reports";
import type { SelectedRange, TraceState } from "../../state/trace";
import { commandLine } from "../command-line";
import { later } from "../later";
import type { TickInterval } from "../PlaceLink";
import { reportOf, tickInterval } from "../reports/useReport";
import { type QueryState, useAnswer } from "../useAnswer";

/** Delay while the range is dragged, in milliseconds. */
const PAUSE = 150;

/** Reports that are computed fast, and those that take longer. */
const FAST = ["profile", "performance", "services"];
const SLOW = ["latency"];

/** The range in whole ticks, and the reports on it. */
export interface RangeReport {
  ticks: TickInterval | null;
  /** Whether they belong to an earlier range. */
  isOutdated: boolean;
  fast: QueryState<ReportTables>;
  slow: QueryState<ReportTables>;
}

function query(kinds: readonly string[], ticks: TickInterval | null): QueryOf<"report"> | null {
  if (ticks === null) return null;
  const { from: start, to: end } = ticks;
  return {
    query: "report",
    kinds: [...kinds],
    start,
    end,
    threads: null,
    core: null,
    context: null,
    anchor: null,
    tables: true,
  };
}

/** The selected range and its whole ticks. */
interface RangeTicks {
  range: SelectedRange | null;
  ticks: TickInterval | null;
}

/** The selected range in whole ticks, once it no longer changes. */
export function useRangeTicks(trace: TraceState): RangeTicks {
  const of = useSignal<RangeTicks>({ range: null, ticks: null });
  useSignalEffect(() => {
    const range = trace.range.value;
    return later(
      range === null ? 0 : PAUSE,
      () => tickInterval(trace, "range"),
      (ticks) => {
        of.value = { range, ticks };
      },
    );
  });
  return of.value;
}

/** Reports on the selected range, queried again whenever it changes. */
export function useRangeReport(trace: TraceState): RangeReport {
  const { range, ticks } = useRangeTicks(trace);
  const hz = trace.frequencyHz.value;
  const fast = useAnswer(trace, query(FAST, ticks), hz);
  const slow = useAnswer(trace, query(SLOW, ticks), hz);
  return {
    ticks,
    isOutdated: range !== trace.range.value,
    fast: { ...fast, answer: reportOf<ReportTables>(fast.answer) },
    slow: { ...slow, answer: reportOf<ReportTables>(slow.answer) },
  };
}

/** Command that prints the same reports. */
export function rangeCommand(trace: TraceState, { from, to }: TickInterval): string {
  return commandLine(trace, "report", [...FAST, ...SLOW, "--from", `${from}`, "--to", `${to}`]);
}
