/** Lanes of a snapshot with stable identifiers. */

import {
  type BinnedBars,
  type EventNumbers,
  type LaneContents,
  type LanesAnswer,
  type ListedBars,
  NONE,
} from "../lanes";
import type { Axis } from "../wire";
import { originOf, type Snapshot } from "./snapshot";
import type { MachineIds, SnapshotIds } from "./stable-ids";

/** Translates the answer in place. Lanes that the snapshot does not have are empty. */
export function translateLanes(
  snapshot: Snapshot,
  answer: LanesAnswer,
  axis: Axis,
  wanted: readonly number[],
): LanesAnswer {
  const {
    base,
    ids: { contexts, lanes },
  } = snapshot;
  const { switches, wakes, inversions, gaps, inversionShares } = answer;
  const origin = originOf(snapshot, axis);
  const events = (own: EventNumbers) => shiftEvents(own, base.event);
  if (switches) for (const column of [switches.from, switches.to]) contexts.translateColumn(column);
  if (wakes) for (const column of [wakes.waker, wakes.thread]) contexts.translateColumn(column);
  if (inversions)
    for (const column of [inversions.blocked, inversions.owner]) contexts.translateColumn(column);
  const missing = wanted.filter((lane) => lanes.toLocal(lane) === undefined);
  return {
    ...answer,
    start: answer.start + origin,
    end: answer.end + origin,
    lanes: [
      ...answer.lanes.map((shown) => translateLane(snapshot, shown)),
      ...missing.map(emptyLane),
    ],
    switches: switches && { ...switches, event: events(switches.event) },
    wakes: wakes && { ...wakes, cause: events(wakes.cause), effect: events(wakes.effect) },
    gaps: gaps && { ...gaps, event: events(gaps.event) },
    inversionShares: inversionShares.map((shares) => ({
      ...shares,
      context: shares.context === NONE ? NONE : contexts.toStable(shares.context),
    })),
  };
}

/** Event numbers; those of a long recording need more than 32 bits. */
function shiftEvents(events: EventNumbers, by: number): EventNumbers {
  return by === 0 ? events : Float64Array.from(events, (event) => event + by);
}

function translateLane(
  { base, ids }: Snapshot,
  { lane, bars, events, hits }: LaneContents,
): LaneContents {
  const machine = ids.machines.get(ids.machineOf(lane) ?? -1);
  if (!bars.listed && machine) translateClasses(bars, machine);
  if (events.listed) ids.kinds.translateColumn(events.kind);
  return {
    lane: ids.lanes.toStable(lane),
    bars: bars.listed ? translateBars(bars, ids, machine, base.event) : bars,
    events: events.listed ? { ...events, event: shiftEvents(events.event, base.event) } : events,
    hits,
  };
}

function translateBars(
  bars: ListedBars,
  { threadClass, contexts }: SnapshotIds,
  machine: MachineIds | undefined,
  base: number,
): ListedBars {
  const { subject, class: classes } = bars;
  subject.forEach((own, bar) => {
    if (machine) subject[bar] = machine.states.toStable(own);
    // Only bars of cores refer to contexts; the page does not use the references of others.
    else if (classes[bar] === threadClass) subject[bar] = contexts.toStable(own);
  });
  if (machine) translateClasses(bars, machine);
  return { ...bars, event: shiftEvents(bars.event, base) };
}

function translateClasses({ class: classes }: ListedBars | BinnedBars, machine: MachineIds): void {
  classes.forEach((code, at) => {
    classes[at] = machine.classes[code] ?? code;
  });
}

function emptyLane(lane: number): LaneContents {
  return {
    lane,
    bars: {
      listed: true,
      start: new Float32Array(),
      end: new Float32Array(),
      event: new Uint32Array(),
      subject: new Uint32Array(),
      class: new Uint8Array(),
    },
    events: {
      listed: true,
      x: new Float32Array(),
      event: new Uint32Array(),
      kind: new Uint32Array(),
    },
    hits: null,
  };
}
