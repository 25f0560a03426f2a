/** Queries the selected report. */

import { useSignal, useSignalEffect } from "@preact/signals";
import type { QueryOf } from "../../session/client";
import type { ReportDocument, ReportTables } from "../../session/reports";
import { limits } from "../../state/interval";
import type { TraceState } from "../../state/trace";
import { later } from "../later";
import type { TickInterval } from "../PlaceLink";
import { type QueryState, useAnswer } from "../useAnswer";
import { type ReportSelection, reportSelection } from "./report-selection";

/** Delay while the visible interval moves, in milliseconds. */
const PAUSE = 300;

/** Every report has the findings; this one is shown beside them. */
const FOR_FINDINGS = "profile";

const SCHEMA = "rtoscope/report/1";

/** The answer as a report; `null` if there is no answer. */
export function reportOf<R extends ReportDocument | ReportTables>(
  answer: Record<string, unknown> | null,
): R | null {
  if (answer === null) return null;
  if (answer.schema !== SCHEMA) throw new Error(`not a report of the contract ${SCHEMA}`);
  return answer as unknown as R;
}

/** Interval of a report; in the sequential view, from event to event. */
export async function tickInterval(
  trace: TraceState,
  part: ReportSelection["scope"],
): Promise<TickInterval | null> {
  const range = part === "range" ? trace.range.peek() : trace.queryWindow();
  if (part === "whole" || range === null) return null;
  const [low, high] = [Math.min(range.start, range.end), Math.max(range.start, range.end)];
  const whole = limits(trace.extent.peek(), "time");
  const clamp = (ticks: number) => Math.min(Math.max(whole.start, Math.round(ticks)), whole.end);
  if (range.axis === "time") return { from: clamp(low), to: clamp(high) };
  const ask = (at: number) => trace.client.query({ query: "locate", axis: "index", at });
  const start = trace.extent.peek().base.event;
  const [first, last] = await Promise.all([ask(Math.max(start, low)), ask(Math.max(start, high))]);
  return { from: first?.time ?? whole.start, to: last?.time ?? whole.end };
}

/** A query of reports; on the whole trace, as tables, unless the scope says otherwise. */
export function reportQuery(
  kinds: readonly string[],
  scope: Partial<Omit<QueryOf<"report">, "query" | "kinds">> = {},
): QueryOf<"report"> {
  return {
    query: "report",
    kinds: [...kinds],
    start: null,
    end: null,
    core: null,
    context: null,
    anchor: null,
    tables: true,
    ...scope,
    threads: scope.threads?.length ? scope.threads : null,
  };
}

function selectedQuery(
  { kind, core, threads, context, anchor }: ReportSelection,
  ticks: TickInterval | null,
): QueryOf<"report"> {
  return reportQuery([kind === "findings" ? FOR_FINDINGS : kind], {
    start: ticks?.from ?? null,
    end: ticks?.to ?? null,
    threads: [...threads],
    core,
    context: kind === "services" ? context : null,
    anchor: kind === "cycles" ? anchor : null,
  });
}

/** Answer for the selected report, queried again whenever the selection or its scope changes. */
export function useReport(trace: TraceState): QueryState<ReportTables> {
  const asking = useSignal<{ selection: ReportSelection; query: QueryOf<"report"> } | null>(null);
  useSignalEffect(() => {
    const chosen = reportSelection(trace).value;
    const follows = chosen.scope !== "whole";
    if (chosen.scope === "visible") void [trace.settledWindow.value, trace.axis.value];
    if (chosen.scope === "range") void trace.range.value;
    return later(
      follows ? PAUSE : 0,
      () => tickInterval(trace, chosen.scope),
      (ticks) => {
        asking.value = { selection: chosen, query: selectedQuery(chosen, ticks) };
      },
    );
  });
  // The visible interval of a live trace changes with every update.
  const asked = useAnswer(
    trace,
    asking.value?.query ?? null,
    trace.frequencyHz.value,
    reportSelection(trace).value.scope === "visible" && trace.isFollowing.value,
  );
  const isOutdated = asking.value?.selection !== reportSelection(trace).value;
  const isWaiting = asked.isWaiting || isOutdated;
  return { ...asked, isWaiting, answer: reportOf(asked.answer) };
}

/** Findings of the whole trace; `isPatient` if they need not be up to date. */
export function useFindings(trace: TraceState, isPatient = false): QueryState<ReportDocument> {
  const again = `${trace.frequencyHz.value} ${trace.structureVersion.value} ${trace.isFollowing.value}`;
  const asked = useAnswer(trace, reportQuery([FOR_FINDINGS], { tables: false }), again, isPatient);
  return { ...asked, answer: reportOf(asked.answer) };
}
