/** Lanes of a snapshot with stable identifiers. */

import type { BinnedBars, Events, LaneShown, LanesAnswer, ListedBars } from "../lanes";
import type { Axis } from "../wire";
import { type Edition, originOf } from "./edition";
import type { MachineNaming, Naming } from "./naming";

/** Translates the answer in place. Lanes that the snapshot does not have are empty. */
export function lanesOf(
  edition: Edition,
  answer: LanesAnswer,
  axis: Axis,
  wanted: readonly number[],
): LanesAnswer {
  const {
    base,
    naming: { contexts, lanes },
  } = edition;
  const { switches, wakes, inversions, gaps } = answer;
  const origin = originOf(edition, axis);
  const events = (own: Events) => moved(own, base.event);
  if (switches) for (const column of [switches.from, switches.to]) contexts.rename(column);
  if (wakes) for (const column of [wakes.by, wakes.thread]) contexts.rename(column);
  if (inversions)
    for (const column of [inversions.blocked, inversions.owner]) contexts.rename(column);
  const missing = wanted.filter((lane) => lanes.ownOf(lane) === undefined);
  return {
    ...answer,
    from: answer.from + origin,
    to: answer.to + origin,
    lanes: [...answer.lanes.map((shown) => laneOf(edition, shown)), ...missing.map(empty)],
    switches: switches && { ...switches, event: events(switches.event) },
    wakes: wakes && { ...wakes, cause: events(wakes.cause), effect: events(wakes.effect) },
    gaps: gaps && { ...gaps, event: events(gaps.event) },
  };
}

/** Event numbers; those of a long recording need more than 32 bits. */
function moved(events: Events, by: number): Events {
  return by === 0 ? events : Float64Array.from(events, (event) => event + by);
}

function laneOf({ base, naming }: Edition, { lane, bars, events }: LaneShown): LaneShown {
  const machine = naming.machines.get(naming.machineOf(lane) ?? -1);
  if (!bars.listed && machine) classesOf(bars, machine);
  if (events.listed) naming.kinds.rename(events.kind);
  return {
    lane: naming.lanes.lastingOf(lane),
    bars: bars.listed ? barsOf(bars, naming, machine, base.event) : bars,
    events: events.listed ? { ...events, event: moved(events.event, base.event) } : events,
  };
}

function barsOf(
  bars: ListedBars,
  { thread, contexts }: Naming,
  machine: MachineNaming | undefined,
  base: number,
): ListedBars {
  const { what, class: classes } = bars;
  what.forEach((own, bar) => {
    if (machine) what[bar] = machine.states.lastingOf(own);
    // Only bars of cores refer to contexts; the page does not use the references of others.
    else if (classes[bar] === thread) what[bar] = contexts.lastingOf(own);
  });
  if (machine) classesOf(bars, machine);
  return { ...bars, event: moved(bars.event, base) };
}

function classesOf({ class: classes }: ListedBars | BinnedBars, machine: MachineNaming): void {
  classes.forEach((code, at) => {
    classes[at] = machine.classes[code] ?? code;
  });
}

function empty(lane: number): LaneShown {
  return {
    lane,
    bars: {
      listed: true,
      start: new Float32Array(),
      end: new Float32Array(),
      event: new Uint32Array(),
      what: new Uint32Array(),
      class: new Uint8Array(),
    },
    events: {
      listed: true,
      x: new Float32Array(),
      event: new Uint32Array(),
      kind: new Uint32Array(),
    },
  };
}
