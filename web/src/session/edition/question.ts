/** Translates queries and commands of the page into identifiers and positions of a snapshot. */

import type { By, Command, CurveOf, Query, Window } from "../wire";
import { type Edition, originOf } from "./edition";
import type { Numbers } from "./register";

/**
 * Query for the snapshot; `null` if the query is about something that the snapshot does not have.
 */
export function questionTo(edition: Edition, query: Query): Query | null {
  const {
    naming: { contexts, objects, lanes },
    base,
  } = edition;
  switch (query.ask) {
    case "overview":
    case "legend":
    case "bookmarks":
      return query;
    case "lanes":
      return {
        ...query,
        window: windowIn(edition, query.window),
        lanes: known(lanes, query.lanes),
      };
    case "probe":
      return {
        ...query,
        at: query.at - originOf(edition, query.axis),
        lanes: known(lanes, query.lanes),
      };
    case "locate":
      return { ...query, at: query.at - originOf(edition, query.axis) };
    case "event":
      return { ...query, event: query.event - base.event };
    case "events":
      return query.search === null
        ? { ...query, ...rowsFrom(query.from - base.event, query.count) }
        : query;
    case "step": {
      const by = byIn(edition, query.by);
      return by && { ...query, by, from: Math.max(query.from - base.event, 0) };
    }
    case "search":
    case "posts":
      return { ...query, window: windowIn(edition, query.window) };
    case "report": {
      const context = query.context === null ? null : contexts.ownOf(query.context);
      const ticks = (at: number | null) => (at === null ? null : Math.max(at - base.time, 0));
      return context === undefined
        ? null
        : {
            ...query,
            context,
            from: ticks(query.from),
            to: ticks(query.to),
            threads: query.threads && known(contexts, query.threads),
          };
    }
    case "curve": {
      const of = curveIn(edition, query.of);
      return of && { ...query, of, window: windowIn(edition, query.window) };
    }
    case "history": {
      const object = objects.ownOf(query.object);
      return object === undefined ? null : { ...query, object };
    }
    case "sequence": {
      const own = known(contexts, query.objects);
      // An empty list would mean all of them.
      return own.length === 0 && query.objects.length > 0
        ? null
        : { ...query, window: windowIn(edition, query.window), objects: own };
    }
    case "machine": {
      const context = contexts.ownOf(query.context);
      return context === undefined ? null : { ...query, context };
    }
  }
}

/** Command for the snapshot, which gets only its own bookmarks. */
export function commandTo({ base, events }: Edition, command: Command): Command {
  if (command.tell === "clock") return command;
  const own = command.bookmarks.map((one) => ({ ...one, event: one.event - base.event }));
  return { ...command, bookmarks: own.filter(({ event }) => event >= 0 && event < events) };
}

/** Rows that may start before the snapshot does. */
function rowsFrom(from: number, count: number): { from: number; count: number } {
  return { from: Math.max(from, 0), count: Math.max(count + Math.min(from, 0), 1) };
}

function windowIn(edition: Edition, window: Window): Window {
  const origin = originOf(edition, window.axis);
  return { ...window, from: window.from - origin, to: window.to - origin };
}

function known(numbers: Numbers, wanted: readonly number[]): number[] {
  return wanted.flatMap((one) => numbers.ownOf(one) ?? []);
}

function curveIn({ naming: { levels, resources } }: Edition, of: CurveOf): CurveOf | null {
  if (of.of === "load") return of;
  const own = levels.ownOf(of.resource);
  const resource = own === undefined ? undefined : resources[own];
  return resource === undefined ? null : { ...of, resource };
}

function byIn({ naming: { contexts, objects, machines } }: Edition, by: By): By | null {
  switch (by.mode) {
    case "context":
    case "transition": {
      const context = contexts.ownOf(by.context);
      return context === undefined ? null : { ...by, context };
    }
    case "state": {
      const context = contexts.ownOf(by.context);
      const state = machines.get(by.context)?.states.ownOf(by.state);
      return context === undefined || state === undefined ? null : { ...by, context, state };
    }
    case "object": {
      const object = objects.ownOf(by.object);
      return object === undefined ? null : { ...by, object };
    }
    default:
      return by;
  }
}
