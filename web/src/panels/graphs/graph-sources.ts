/** What can be shown as a graph, and its title. */

import type { GraphSource, LevelResource, PlotSource } from "../../session/wire";
import { countText, durationText } from "../../state/format";
import { intervalsKey, namedIntervals } from "../../state/intervals";
import type { TraceState } from "../../state/trace";

/** The messages of an object, one by one. */
export interface MessageSource {
  kind: "messages";
  resource: number;
}

/** A value over time, durations and values of events as points, or messages as bars. */
export type ShownGraph = GraphSource | PlotSource | MessageSource;

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
  run: "run length",
} as const;
const ISR_MEASURES = { duration: "duration", period: "period", run: "run length" } as const;
const MARKER_MEASURES = { duration: "duration", period: "period", value: "value" } as const;
type MarkerMeasure = keyof typeof MARKER_MEASURES;

/** Whether a graph consists of points. */
export function isPlot(graph: ShownGraph): graph is PlotSource {
  return graph.kind !== "load" && graph.kind !== "level" && graph.kind !== "messages";
}

/** Whether the points of a plot are durations. */
function isDuration(plot: PlotSource): boolean {
  return plot.kind !== "event" && !(plot.kind === "marker" && plot.measure === "value");
}

/** The text of a point's value. */
export function plotValueText(plot: PlotSource, value: number, hz: number | null): string {
  return isDuration(plot) ? durationText(value, hz) : countText(value);
}

export function titleOf(trace: TraceState, of: ShownGraph): string {
  const { levels, contexts, lanes, markers, user_events } = trace.overview;
  const levelName = () => {
    const resource = "resource" in of ? of.resource : -1;
    return levels.find((one) => one.resource === resource)?.name ?? `object ${resource}`;
  };
  switch (of.kind) {
    case "load":
      return of.core === null ? "Load" : `Load of core ${of.core}`;
    case "level":
      return levelName();
    case "messages":
      return `${levelName()}: messages`;
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
    case "marker":
      return `${markers[of.marker]?.name ?? "?"}: ${MARKER_MEASURES[of.measure]}`;
    case "event": {
      const kind = user_events.find(({ number }) => number === of.number);
      return `${kind?.name ?? `event ${of.number}`}: ${of.argument}`;
    }
  }
}

/** Whether an object passes on what is put into it. */
export function hasMessages({ class: of }: LevelResource): boolean {
  return of === "queue" || of === "semaphore";
}

/** Everything that a trace has to show. */
export function graphGroups(trace: TraceState): GraphGroup[] {
  const { cores, levels, contexts, lanes, clock, markers, user_events } = trace.overview;
  const loads: ShownGraph[] = [null, ...(cores.length > 1 ? cores : [])].map((core) => ({
    kind: "load",
    core,
  }));
  const hasTime = clock.no_time === null;
  const values = [
    { title: "CPU load", graphs: loads },
    {
      title: "Levels",
      graphs: levels.map(({ resource }): ShownGraph => ({ kind: "level", resource })),
    },
    {
      title: "Messages",
      graphs: levels
        .filter(hasMessages)
        .map(({ resource }): ShownGraph => ({ kind: "messages", resource })),
    },
    {
      title: "Markers",
      graphs: markers.flatMap(({ spans, instants }, marker) => {
        const durations: MarkerMeasure[] = spans > 0 ? ["duration", "period"] : ["period"];
        const measures: MarkerMeasure[] = [...(hasTime ? durations : []), "value"];
        return spans + instants > 0
          ? measures.map((measure): ShownGraph => ({ kind: "marker", marker, measure }))
          : [];
      }),
    },
    {
      title: "User events",
      graphs: user_events.flatMap((kind) =>
        kind.arguments.map(
          (argument): ShownGraph => ({ kind: "event", number: kind.number, argument }),
        ),
      ),
    },
  ];
  if (!hasTime) return values;
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
