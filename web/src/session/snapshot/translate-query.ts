/** Translates queries and commands of the page into identifiers and positions of a snapshot. */

import { shiftPlace } from "../../state/bookmarks";
import type { Command, GraphSource, Query, StepBy, Window } from "../wire";
import type { IdMap } from "./id-registry";
import { originOf, type Snapshot } from "./snapshot";

/**
 * Query for the snapshot; `null` if the query is about something that the snapshot does not have.
 */
export function translateQuery(snapshot: Snapshot, query: Query): Query | null {
  const {
    ids: { contexts, objects, lanes },
    base,
  } = snapshot;
  const ticks = (at: number | null) => (at === null ? null : Math.max(at - base.time, 0));
  switch (query.query) {
    case "overview":
    case "legend":
    case "bookmarks":
      return query;
    case "lanes":
      return {
        ...query,
        window: translateWindow(snapshot, query.window),
        lanes: localIds(lanes, query.lanes),
      };
    case "probe":
      return {
        ...query,
        at: query.at - originOf(snapshot, query.axis),
        lanes: localIds(lanes, query.lanes),
      };
    case "locate":
      return { ...query, at: query.at - originOf(snapshot, query.axis) };
    case "event":
      return { ...query, event: query.event - base.event };
    case "critical-path":
      return {
        ...query,
        event: query.event - base.event,
        from: query.from === null ? null : Math.max(query.from - base.time, 0),
      };
    case "events":
      return query.search === null
        ? { ...query, ...clampRows(query.offset - base.event, query.limit) }
        : query;
    case "step": {
      const by = translateStepMode(snapshot, query.by);
      return by && { ...query, by, from: Math.max(query.from - base.event, 0) };
    }
    case "raw-events":
    case "search":
    case "posts":
    case "cpu-load":
    case "interval-bars":
      return { ...query, window: translateWindow(snapshot, query.window) };
    case "communication":
    case "intervals":
      return { ...query, start: ticks(query.start), end: ticks(query.end) };
    case "report": {
      const context = query.context === null ? null : contexts.toLocal(query.context);
      return context === undefined
        ? null
        : {
            ...query,
            context,
            start: ticks(query.start),
            end: ticks(query.end),
            threads: query.threads && localIds(contexts, query.threads),
          };
    }
    case "graph": {
      const source = translateGraphSource(snapshot, query.source);
      return source && { ...query, source, window: translateWindow(snapshot, query.window) };
    }
    case "messages": {
      const resource = localResource(snapshot, query.resource);
      const window = translateWindow(snapshot, query.window);
      return resource === undefined ? null : { ...query, resource, window };
    }
    case "plot": {
      const { source } = query;
      const window = translateWindow(snapshot, query.window);
      if (source.kind !== "thread") return { ...query, window };
      const context = contexts.toLocal(source.context);
      return context === undefined ? null : { ...query, window, source: { ...source, context } };
    }
    case "history": {
      const object = objects.toLocal(query.object);
      return object === undefined ? null : { ...query, object };
    }
    case "sequence": {
      const own = localIds(contexts, query.objects);
      // An empty list would mean all of them.
      return own.length === 0 && query.objects.length > 0
        ? null
        : { ...query, window: translateWindow(snapshot, query.window), objects: own };
    }
    case "machine": {
      const context = contexts.toLocal(query.context);
      return context === undefined ? null : { ...query, context };
    }
  }
}

/** Command for the snapshot, which gets only its own bookmarks. */
export function translateCommand({ base, events }: Snapshot, command: Command): Command {
  if (command.command === "clock") return command;
  const own = command.bookmarks.map((one) => shiftPlace(one, -base.event));
  const isWithin = (event: number) => event >= 0 && event < events;
  return {
    ...command,
    bookmarks: own.filter(({ event, end }) => isWithin(event) && isWithin(end?.event ?? event)),
  };
}

/** Rows that may start before the snapshot does. */
function clampRows(offset: number, limit: number): { offset: number; limit: number } {
  return { offset: Math.max(offset, 0), limit: Math.max(limit + Math.min(offset, 0), 1) };
}

function translateWindow(snapshot: Snapshot, window: Window): Window {
  const origin = originOf(snapshot, window.axis);
  return { ...window, start: window.start - origin, end: window.end - origin };
}

function localIds(numbers: IdMap, wanted: readonly number[]): number[] {
  return wanted.flatMap((one) => numbers.toLocal(one) ?? []);
}

function translateGraphSource(snapshot: Snapshot, of: GraphSource): GraphSource | null {
  if (of.kind === "load") return of;
  const resource = localResource(snapshot, of.resource);
  return resource === undefined ? null : { ...of, resource };
}

/** Resource number of the snapshot, for the number of a level. */
function localResource(
  { ids: { levels, resources } }: Snapshot,
  level: number,
): number | undefined {
  const own = levels.toLocal(level);
  return own === undefined ? undefined : resources[own];
}

function translateStepMode(
  { ids: { contexts, objects, machines } }: Snapshot,
  by: StepBy,
): StepBy | null {
  switch (by.mode) {
    case "context":
    case "transition": {
      const context = contexts.toLocal(by.context);
      return context === undefined ? null : { ...by, context };
    }
    case "state": {
      const context = contexts.toLocal(by.context);
      const state = machines.get(by.context)?.states.toLocal(by.state);
      return context === undefined || state === undefined ? null : { ...by, context, state };
    }
    case "object": {
      const object = objects.toLocal(by.object);
      return object === undefined ? null : { ...by, object };
    }
    default:
      return by;
  }
}
