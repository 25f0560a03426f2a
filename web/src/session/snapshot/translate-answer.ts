/**
 * Translates answers about a snapshot into positions of the whole recording and stable identifiers.
 */

import { shiftPlace } from "../../state/bookmarks";
import type { Answers } from "../client";
import type { CriticalPathReport, DescribedTable } from "../reports";
import type {
  EventDetails,
  EventPosition,
  EventRow,
  EventRows,
  Moment,
  Post,
  Probe,
  Query,
} from "../wire";
import { originOf, type Snapshot } from "./snapshot";
import { translateLanes } from "./translate-lanes";

type Translators = {
  [A in Query["query"]]: (
    snapshot: Snapshot,
    answer: Answers[A],
    asked: Extract<Query, { query: A }>,
  ) => Answers[A];
};

/** Translates the answer of a snapshot to a query of the page. */
export function translateAnswer<A extends Query["query"]>(
  snapshot: Snapshot,
  asked: Extract<Query, { query: A }>,
  answer: Answers[A],
): Answers[A] {
  const read = TRANSLATORS[asked.query as A] as Translators[A];
  return read(snapshot, answer, asked);
}

const TRANSLATORS: Translators = {
  overview: (_, overview) => overview,
  legend: (_, kinds) => kinds,
  lanes: (snapshot, answer, { window: { axis }, lanes }) =>
    translateLanes(snapshot, answer, axis, lanes),
  probe: (snapshot, probes) => probes.map((probe) => translateProbe(snapshot, probe)),
  locate: (snapshot, place) => place && translatePosition(snapshot, place),
  event: (snapshot, details) => details && translateDetails(snapshot, details),
  events: translateRows,
  step: (snapshot, place) => place && translatePosition(snapshot, place),
  search: (_, hits) => hits,
  report: ({ base }, report) =>
    translateReport(base.event, base.time, report) as Record<string, unknown>,
  graph: (snapshot, graph, { window: { axis } }) => {
    const origin = originOf(snapshot, axis);
    return { ...graph, positions: graph.positions.map((at) => at + origin) };
  },
  "cpu-load": (snapshot, load, { window: { axis } }) => {
    const origin = originOf(snapshot, axis);
    const { contexts } = snapshot.ids;
    return {
      ...load,
      positions: load.positions.map((at) => at + origin),
      times: load.times.map((at) => at + snapshot.base.time),
      contexts: load.contexts.map((row) => ({
        ...row,
        context: row.context === null ? null : contexts.toStable(row.context),
      })),
    };
  },
  intervals: ({ base }, row) => translateReport(base.event, base.time, row) as DescribedTable[],
  "interval-bars": (snapshot, bars, { window: { axis } }) => {
    const origin = originOf(snapshot, axis);
    return {
      ...bars,
      starts: bars.starts.map((at) => at + origin),
      ends: bars.ends.map((at) => at + origin),
      events: bars.events.map((event) => event + snapshot.base.event),
    };
  },
  "critical-path": ({ base, ids: { contexts } }, path) => {
    if (path === null) return null;
    const own = translateReport(base.event, base.time, path) as CriticalPathReport;
    const thread = (local: number | null) => (local === null ? null : contexts.toStable(local));
    return {
      ...own,
      segments: own.segments.map((row) => ({ ...row, thread: thread(row.thread) })),
    };
  },
  plot: (snapshot, plot, { window: { axis } }) => {
    const origin = originOf(snapshot, axis);
    return {
      ...plot,
      positions: plot.positions.map((at) => at + origin),
      events: plot.events.map((event) => event + snapshot.base.event),
    };
  },
  messages: (snapshot, bars, { window: { axis } }) => {
    const { base, ids } = snapshot;
    const origin = originOf(snapshot, axis);
    const context = (own: number | null) => (own === null ? null : ids.contexts.toStable(own));
    return {
      ...bars,
      starts: bars.starts.map((at) => at + origin),
      ends: bars.ends.map((at) => at + origin),
      puts: bars.puts.map((event) => event + base.event),
      end_events: bars.end_events.map((event) => event + base.event),
      putters: bars.putters.map(context),
      takers: bars.takers.map(context),
    };
  },
  "raw-events": ({ base }, raw) => ({
    ...raw,
    lines: raw.lines.replaceAll(/^\d+/gm, (own) => String(Number(own) + base.event)),
  }),
  history: translateRows,
  posts: (snapshot, { total, posts }) => ({
    total,
    posts: posts.map((post) => translatePost(snapshot, post)),
  }),
  sequence: ({ base }, diagram) => ({
    ...diagram,
    text: translateDiagram(base.event, diagram.text),
  }),
  machine: (_, diagram) => diagram,
  communication: (snapshot, diagram) => ({
    ...diagram,
    text: translateGraph(snapshot, diagram.text),
  }),
  bookmarks: ({ base }, bookmarks) => bookmarks.map((one) => shiftPlace(one, base.event)),
};

function translatePosition(
  { base, ids: { contexts } }: Snapshot,
  place: EventPosition,
): EventPosition {
  const { event, time, context } = place;
  return {
    ...place,
    event: event + base.event,
    time: time + base.time,
    context: contexts.toStable(context),
  };
}

function translateRows(snapshot: Snapshot, { total, rows }: EventRows): EventRows {
  return {
    total,
    rows: rows.map((row): EventRow => ({ ...row, ...translatePosition(snapshot, row) })),
  };
}

function translateProbe({ base, ids }: Snapshot, probe: Probe): Probe {
  const machine = ids.machines.get(ids.machineOf(probe.lane) ?? -1);
  const moment = ({ event, time }: Moment) => ({
    event: event + base.event,
    time: time + base.time,
  });
  return {
    ...probe,
    lane: ids.lanes.toStable(probe.lane),
    class: machine?.classes[probe.class] ?? probe.class,
    start: probe.start + base.time,
    end: probe.end + base.time,
    event: probe.event + base.event,
    path: probe.path.map(({ lane, arrived, received, left }) => ({
      lane: ids.lanes.toStable(lane),
      arrived: moment(arrived),
      received: received && moment(received),
      left: left && moment(left),
    })),
  };
}

function translateDetails(
  { base, ids: { contexts, objects } }: Snapshot,
  details: EventDetails,
): EventDetails {
  const context = (own: number | null) => (own === null ? null : contexts.toStable(own));
  return {
    ...details,
    event: details.event + base.event,
    time: details.time + base.time,
    context: contexts.toStable(details.context),
    interrupted: context(details.interrupted),
    next_context: context(details.next_context),
    arguments: details.arguments.map((argument) => ({
      ...argument,
      object: argument.object === null ? null : objects.toStable(argument.object),
    })),
    links: details.links.map((link) => ({
      ...link,
      event: link.event + base.event,
      time: link.time + base.time,
    })),
  };
}

function translatePost({ base, ids: { contexts } }: Snapshot, post: Post): Post {
  return {
    ...post,
    event: post.event + base.event,
    time: post.time + base.time,
    sender_context: post.sender_context === null ? null : contexts.toStable(post.sender_context),
    receiver: contexts.toStable(post.receiver),
    step_event: post.step_event === null ? null : post.step_event + base.event,
    step_time: post.step_time === null ? null : post.step_time + base.time,
  };
}

/**
 * Keys of reports and their tables that hold event numbers and moments; all others are
 * amounts.
 */
const EVENT = /^(?:event|.+_event)$/;
const MOMENT = /^(?:start|end|first|last)_ticks$/;

function translateReport(event: number, time: number, value: unknown, key = ""): unknown {
  if (typeof value === "number")
    return EVENT.test(key) ? value + event : MOMENT.test(key) ? value + time : value;
  if (Array.isArray(value)) return value.map((one) => translateReport(event, time, one, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, translateReport(event, time, one, name)]),
  );
}

/** Elements of a diagram carry the numbers of their events. */
function translateDiagram(event: number, text: string): string {
  return text.replaceAll(
    / data-event="(\d+)"/g,
    (_, own: string) => ` data-event="${Number(own) + event}"`,
  );
}

/** Nodes and edges of a graph carry the numbers of contexts, objects and events. */
function translateGraph({ base, ids: { contexts, objects } }: Snapshot, text: string): string {
  const stable: Record<string, (own: number) => number> = {
    context: (own) => contexts.toStable(own),
    object: (own) => objects.toStable(own),
    event: (own) => own + base.event,
  };
  return text.replaceAll(
    / class="(context|object|event)-(\d+)"/g,
    (_, what: string, own: string) => ` class="${what}-${stable[what]?.(Number(own)) ?? own}"`,
  );
}
