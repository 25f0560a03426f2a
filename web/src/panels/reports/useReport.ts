/** Queries the selected report. */

import { useSignal, useSignalEffect } from "@preact/signals";
import type { QueryOf } from "../../session/client";
import { limits } from "../../state/interval";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { type Asked, useAnswer } from "../useAnswer";
import { type Choice, choice } from "./chosen";
import { type Document, documentOf } from "./document";
import type { ReportKind } from "./kinds";

/** Delay while the visible interval moves, in milliseconds. */
const PAUSE = 300;

/** Interval in whole ticks; `null` for the whole trace. */
type Ticks = { from: number; to: number } | null;

/** Interval of a report; in the sequential view, from event to event. */
async function ticksOf(trace: TraceState, part: Choice["part"]): Promise<Ticks> {
  const range = part === "range" ? trace.range.peek() : trace.queryWindow();
  if (part === "whole" || range === null) return null;
  const [low, high] = [Math.min(range.start, range.end), Math.max(range.start, range.end)];
  const whole = limits(trace.extent.peek(), "time");
  const clamp = (ticks: number) => Math.min(Math.max(whole.from, Math.round(ticks)), whole.to);
  if (range.axis === "time") return { from: clamp(low), to: clamp(high) };
  const ask = (at: number) => trace.client.query({ query: "locate", axis: "index", at });
  const start = trace.extent.peek().base.event;
  const [first, last] = await Promise.all([ask(Math.max(start, low)), ask(Math.max(start, high))]);
  return { from: first?.time ?? whole.from, to: last?.time ?? whole.to };
}

/** Document parts of a report. */
function parts(kind: ReportKind): string[] {
  // Every report has the findings; this one is computed fastest.
  if (kind === "findings") return ["performance"];
  return kind === "performance" ? ["performance", "threads"] : [kind];
}

function query({ kind, core, threads, context }: Choice, ticks: Ticks): QueryOf<"report"> {
  return {
    query: "report",
    kinds: parts(kind),
    start: ticks?.from ?? null,
    end: ticks?.to ?? null,
    threads: threads.length > 0 ? [...threads] : null,
    core,
    context: kind === "services" ? context : null,
  };
}

/** Answer for the selected report, queried again whenever the selection or its scope changes. */
export function useReport(trace: TraceState): Asked<Document> {
  const asking = useSignal<QueryOf<"report"> | null>(null);
  useSignalEffect(() => {
    const chosen = choice(trace).value;
    const follows = chosen.part !== "whole";
    if (chosen.part === "visible") void [trace.settledWindow.value, trace.axis.value];
    if (chosen.part === "range") void trace.range.value;
    let isOver = false;
    const timer = setTimeout(
      () => {
        ticksOf(trace, chosen.part).then((ticks) => {
          if (!isOver) asking.value = query(chosen, ticks);
        }, showError);
      },
      follows ? PAUSE : 0,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  });
  // The visible interval of a live trace changes with every update.
  const asked = useAnswer(
    trace,
    asking.value,
    trace.frequencyHz.value,
    choice(trace).value.part === "visible" && trace.isFollowing.value,
  );
  return { ...asked, answer: documentOf(asked.answer) };
}

/** Findings of the whole trace; `isPatient` if they need not be up to date. */
export function useFindings(trace: TraceState, isPatient = false): Asked<Document> {
  const choice = {
    kind: "findings",
    part: "whole",
    core: null,
    threads: [],
    context: null,
  } as const;
  const again = `${trace.frequencyHz.value} ${trace.structureVersion.value} ${trace.isFollowing.value}`;
  const asked = useAnswer(trace, query(choice, null), again, isPatient);
  return { ...asked, answer: documentOf(asked.answer) };
}
