/** Reports on the selected range. */

import { useSignal, useSignalEffect } from "@preact/signals";
import type { QueryOf } from "../../session/client";
import type { ReportTables } from "../../session/reports";
import type { SelectedRange, TraceState } from "../../state/trace";
import { commandLine } from "../command-line";
import { later } from "../later";
import type { TickInterval } from "../PlaceLink";
import { reportOf, reportQuery, tickInterval } from "../reports/useReport";
import { type QueryState, useAnswer } from "../useAnswer";
import type { ThreadReports } from "./ThreadTable";

/** Delay while the range is dragged, in milliseconds. */
const PAUSE = 150;

/** Reports that are computed fast, and those that take longer. */
const FAST = ["profile", "performance", "services"];
const SLOW = ["latency"];
/** The reports in the table of the selected lanes. */
const OF_LANES = ["profile", "threads", "latency"];

/** The range in whole ticks, and the reports on it. */
export interface RangeReport {
  ticks: TickInterval | null;
  /** Whether they belong to an earlier range. */
  isOutdated: boolean;
  fast: QueryState<ReportTables>;
  slow: QueryState<ReportTables>;
  /** Contexts of the selected lanes; all if there are none. */
  contexts: readonly number[];
  ofLanes: ThreadReports | null;
}

function query(
  kinds: readonly string[],
  ticks: TickInterval | null,
  contexts: readonly number[],
  tables = true,
): QueryOf<"report"> | null {
  if (ticks === null) return null;
  const { from: start, to: end } = ticks;
  return reportQuery(kinds, { start, end, threads: [...contexts], tables });
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
  const contexts = trace.lanes.selectedContexts.value;
  const fast = useAnswer(trace, query(FAST, ticks, contexts), hz);
  const slow = useAnswer(trace, query(SLOW, ticks, contexts), hz);
  const wanted = contexts.length > 0 ? query(OF_LANES, ticks, contexts, false) : null;
  const { answer } = useAnswer(trace, wanted, hz);
  return {
    ticks,
    isOutdated: range !== trace.range.value,
    fast: { ...fast, answer: reportOf<ReportTables>(fast.answer) },
    slow: { ...slow, answer: reportOf<ReportTables>(slow.answer) },
    contexts,
    ofLanes: answer as ThreadReports | null,
  };
}

/** Command that prints the same reports. */
export function rangeCommand(
  trace: TraceState,
  { from, to }: TickInterval,
  contexts: readonly number[],
): string {
  const kinds = contexts.length > 0 ? [...FAST, ...SLOW, "threads"] : [...FAST, ...SLOW];
  const addresses = contexts.map((context) => trace.overview.contexts[context]?.address ?? "");
  const threads = contexts.length > 0 ? ["--threads", addresses.join(",")] : [];
  return commandLine(trace, "report", [...kinds, "--from", `${from}`, "--to", `${to}`, ...threads]);
}
