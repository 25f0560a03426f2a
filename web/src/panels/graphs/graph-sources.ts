/** What can be shown as a graph, and its title. */

import type { GraphSource, PlotSource } from "../../session/wire";
import { intervalsKey, namedIntervals } from "../../state/intervals";
import type { TraceState } from "../../state/trace";

/** A value over time, or durations as points. */
export type ShownGraph = GraphSource | PlotSource;

/** Choices with a heading. */
export interface GraphGroup {
  title: string;
  graphs: ShownGraph[];
}

const THREAD_MEASURES = {
  response: "response time",
  "wake-up": "wake-up latency",
  period: "period",
  jitter: "jitter",
} as const;
const ISR_MEASURES = { duration: "duration", period: "period" } as const;

/** Whether a graph consists of points. */
export function isPlot(graph: ShownGraph): graph is PlotSource {
  return graph.kind === "thread" || graph.kind === "isr" || graph.kind === "intervals";
}

export function titleOf(trace: TraceState, of: ShownGraph): string {
  const { levels, contexts, lanes } = trace.overview;
  switch (of.kind) {
    case "load":
      return of.core === null ? "Load" : `Load of core ${of.core}`;
    case "level":
      return (
        levels.find(({ resource }) => resource === of.resource)?.name ?? `object ${of.resource}`
      );
    case "thread":
      return `${contexts[of.context]?.name ?? "?"}: ${THREAD_MEASURES[of.measure]}`;
    case "isr": {
      const lane = lanes.find((one) => one.kind === "isr" && one.number === of.number);
      return `${lane?.name ?? `ISR ${of.number}`}: ${ISR_MEASURES[of.measure]}`;
    }
    case "intervals": {
      const one = namedIntervals(of.filters);
      const shown = trace.intervals.value.find(
        (other) => intervalsKey(other) === intervalsKey(one),
      );
      return (shown ?? one).name;
    }
  }
}

/** Everything that a trace has to show. */
export function graphGroups(trace: TraceState): GraphGroup[] {
  const { cores, levels, contexts, lanes, clock } = trace.overview;
  const loads: ShownGraph[] = [null, ...(cores.length > 1 ? cores : [])].map((core) => ({
    kind: "load",
    core,
  }));
  const values = [
    { title: "CPU load", graphs: loads },
    {
      title: "Levels",
      graphs: levels.map(({ resource }): ShownGraph => ({ kind: "level", resource })),
    },
  ];
  if (clock.no_time !== null) return values;
  const threads = Object.keys(THREAD_MEASURES) as (keyof typeof THREAD_MEASURES)[];
  const routines = Object.keys(ISR_MEASURES) as (keyof typeof ISR_MEASURES)[];
  const numbers = new Set(
    lanes.flatMap((lane) => (lane.kind === "isr" && lane.number !== null ? [lane.number] : [])),
  );
  return [
    ...values,
    {
      title: "Threads",
      graphs: contexts.flatMap(({ kind }, context) =>
        kind === "thread"
          ? threads.map((measure): ShownGraph => ({ kind: "thread", context, measure }))
          : [],
      ),
    },
    {
      title: "Interrupts",
      graphs: [...numbers].flatMap((number) =>
        routines.map((measure): ShownGraph => ({ kind: "isr", number, measure })),
      ),
    },
    {
      title: "Intervals",
      graphs: trace.intervals.value.map(
        ({ filters }): ShownGraph => ({ kind: "intervals", filters }),
      ),
    },
  ];
}
