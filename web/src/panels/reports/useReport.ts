/** Asking for the report that is chosen. */

import { useSignal, useSignalEffect } from "@preact/signals";
import type { Asking } from "../../session/door";
import type { TraceState } from "../../state/trace";
import { report } from "../../state/viewer";
import { useAnswer, type Asked } from "../useAnswer";
import { choice, type Choice } from "./chosen";
import type { ReportKind } from "./kinds";
import { documentOf, type Document } from "./document";

/** While the visible part moves, nothing is asked. */
const PAUSE = 300;

/** The part of the time in whole ticks; `null` for all of it. */
type Ticks = { from: number; to: number } | null;

/** The part of the time that a report is about; on the axis of events, from event to event. */
async function ticksOf(trace: TraceState, part: Choice["part"]): Promise<Ticks> {
  const range = part === "range" ? trace.range.peek() : { axis: trace.axis.peek(), ...trace.window.peek() };
  if (part === "whole" || range === null) return null;
  const [low, high] = [Math.min(range.from, range.to), Math.max(range.from, range.to)];
  const { span } = trace.overview;
  const clamp = (ticks: number) => Math.min(Math.max(0, Math.round(ticks)), span);
  if (range.axis === "time") return { from: clamp(low), to: clamp(high) };
  const ask = (at: number) => trace.door.ask({ ask: "locate", axis: "index", at });
  const [first, last] = await Promise.all([ask(Math.max(0, low)), ask(Math.max(0, high))]);
  return { from: first?.time ?? 0, to: last?.time ?? span };
}

/** The parts of the document that a report is made of. */
function parts(kind: ReportKind): string[] {
  // The findings come with every report; this one is made at once.
  if (kind === "findings") return ["performance"];
  return kind === "performance" ? ["performance", "threads"] : [kind];
}

function query({ kind, core, threads, context }: Choice, ticks: Ticks): Asking<"report"> {
  return {
    ask: "report",
    kinds: parts(kind),
    from: ticks?.from ?? null,
    to: ticks?.to ?? null,
    threads: threads.length > 0 ? [...threads] : null,
    core,
    context: kind === "services" ? context : null,
  };
}

/** The report that is chosen; asked for anew whenever the choice or what it follows changes. */
export function useReport(trace: TraceState): Asked<Document> {
  const asking = useSignal<Asking<"report"> | null>(null);
  useSignalEffect(() => {
    const chosen = choice(trace).value;
    const follows = chosen.part !== "whole";
    if (chosen.part === "visible") void [trace.window.value, trace.axis.value];
    if (chosen.part === "range") void trace.range.value;
    let isOver = false;
    const timer = setTimeout(() => {
      ticksOf(trace, chosen.part).then((ticks) => {
        if (!isOver) asking.value = query(chosen, ticks);
      }, report);
    }, follows ? PAUSE : 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  });
  const asked = useAnswer(trace, asking.value, trace.hz.value);
  return { ...asked, answer: documentOf(asked.answer) };
}

/** What to look at first in the whole trace. */
export function useFindings(trace: TraceState): Asked<Document> {
  const choice = { kind: "findings", part: "whole", core: null, threads: [], context: null } as const;
  const asked = useAnswer(trace, query(choice, null), trace.hz.value);
  return { ...asked, answer: documentOf(asked.answer) };
}
