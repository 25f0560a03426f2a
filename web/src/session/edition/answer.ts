/**
 * Translates answers about a snapshot into positions of the whole recording and stable identifiers.
 */

import type { Answers } from "../door";
import type { Details, Place, Post, Probe, Query, Row, Rows } from "../wire";
import { type Edition, originOf } from "./edition";
import { lanesOf } from "./lanes";

type Readers = {
  [A in Query["ask"]]: (
    edition: Edition,
    answer: Answers[A],
    asked: Extract<Query, { ask: A }>,
  ) => Answers[A];
};

/** Translates the answer of a snapshot to a query of the page. */
export function answerOf<A extends Query["ask"]>(
  edition: Edition,
  asked: Extract<Query, { ask: A }>,
  answer: Answers[A],
): Answers[A] {
  const read = READERS[asked.ask as A] as Readers[A];
  return read(edition, answer, asked);
}

const READERS: Readers = {
  overview: (_, overview) => overview,
  legend: (_, kinds) => kinds,
  lanes: (edition, answer, { window: { axis }, lanes }) => lanesOf(edition, answer, axis, lanes),
  probe: (edition, probes) => probes.map((probe) => probeOf(edition, probe)),
  locate: (edition, place) => place && placeOf(edition, place),
  event: (edition, details) => details && detailsOf(edition, details),
  events: rowsOf,
  step: (edition, place) => place && placeOf(edition, place),
  search: (_, hits) => hits,
  report: ({ base }, report) => reportOf(base.event, base.time, report) as Record<string, unknown>,
  curve: (edition, curve, { window: { axis } }) => {
    const origin = originOf(edition, axis);
    return { ...curve, at: curve.at.map((at) => at + origin) };
  },
  history: rowsOf,
  posts: (edition, { total, posts }) => ({
    total,
    posts: posts.map((post) => postOf(edition, post)),
  }),
  sequence: ({ base }, diagram) => ({ ...diagram, text: diagramOf(base.event, diagram.text) }),
  machine: (_, diagram) => diagram,
  bookmarks: ({ base }, bookmarks) =>
    bookmarks.map((one) => ({ ...one, event: one.event + base.event })),
};

function placeOf({ base, naming: { contexts } }: Edition, place: Place): Place {
  const { event, time, context } = place;
  return {
    ...place,
    event: event + base.event,
    time: time + base.time,
    context: contexts.lastingOf(context),
  };
}

function rowsOf(edition: Edition, { total, rows }: Rows): Rows {
  return { total, rows: rows.map((row): Row => ({ ...row, ...placeOf(edition, row) })) };
}

function probeOf({ base, naming }: Edition, probe: Probe): Probe {
  const machine = naming.machines.get(naming.machineOf(probe.lane) ?? -1);
  return {
    ...probe,
    lane: naming.lanes.lastingOf(probe.lane),
    class: machine?.classes[probe.class] ?? probe.class,
    start: probe.start + base.time,
    end: probe.end + base.time,
    event: probe.event + base.event,
  };
}

function detailsOf({ base, naming: { contexts, objects } }: Edition, details: Details): Details {
  const context = (own: number | null) => (own === null ? null : contexts.lastingOf(own));
  return {
    ...details,
    event: details.event + base.event,
    time: details.time + base.time,
    context: contexts.lastingOf(details.context),
    interrupted: context(details.interrupted),
    next_context: context(details.next_context),
    arguments: details.arguments.map((argument) => ({
      ...argument,
      object: argument.object === null ? null : objects.lastingOf(argument.object),
    })),
    links: details.links.map((link) => ({
      ...link,
      event: link.event + base.event,
      time: link.time + base.time,
    })),
  };
}

function postOf({ base, naming: { contexts } }: Edition, post: Post): Post {
  return {
    ...post,
    event: post.event + base.event,
    time: post.time + base.time,
    from: post.from === null ? null : contexts.lastingOf(post.from),
    to: contexts.lastingOf(post.to),
    take: post.take === null ? null : post.take + base.event,
    taken: post.taken === null ? null : post.taken + base.time,
  };
}

/**
 * Keys of the contract `rtoscope/report/1` that hold event numbers and moments; all others are
 * amounts.
 */
const EVENT = /^(?:event|.+_event)$/;
const MOMENT = /^(?:start|end|from|to|first|last)_ticks$/;

function reportOf(event: number, time: number, value: unknown, key = ""): unknown {
  if (typeof value === "number")
    return EVENT.test(key) ? value + event : MOMENT.test(key) ? value + time : value;
  if (Array.isArray(value)) return value.map((one) => reportOf(event, time, one, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, reportOf(event, time, one, name)]),
  );
}

/** Elements of a diagram carry the numbers of their events. */
function diagramOf(event: number, text: string): string {
  return text.replaceAll(
    / data-event="(\d+)"/g,
    (_, own: string) => ` data-event="${Number(own) + event}"`,
  );
}
