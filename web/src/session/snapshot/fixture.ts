/** Snapshots for tests. */

import { overviewOf, withMachines } from "../../timeline/fixture";
import type { Overview } from "../wire";
import { inRecording, type Snapshot } from "./snapshot";
import type { StableIds } from "./stable-ids";

/** Overview of a snapshot with threads of these names, in that order, each at its own address. */
export function snapshotOverview(
  threads: readonly string[],
  changes: Partial<Overview> = {},
): Overview {
  const all = overviewOf(threads.map((name) => ({ name, priority: 5, events: 3 })));
  return {
    ...all,
    contexts: all.contexts.map((one) =>
      one.kind === "thread" ? { ...one, address: `0x${one.name}`, object: null } : one,
    ),
    kinds: [3, 7].map((id) => ({
      id,
      name: `kind ${id}`,
      component: "",
      letters: "K",
      colour: "#000000",
      lower_colour: "#000000",
      arguments: [null, null, null, null],
      events: 1,
    })),
    ...changes,
  };
}

/** The same with active objects that have state machines. */
export function machineSnapshotOverview(
  threads: readonly string[],
  states: readonly string[],
): Overview {
  const all = withMachines(snapshotOverview(threads));
  const classes = ["state-0", "state-1", "state-2"].map((name, number) => ({
    code: 28 + number,
    name,
  }));
  return {
    ...all,
    classes: [...all.classes, ...classes],
    machines: all.machines.map((machine) => ({
      ...machine,
      states: states.map((name, number) => ({
        object: null,
        name,
        class: 28 + number,
        visits: 1,
        residency: 1,
        share: null,
      })),
    })),
  };
}

/** Adopts a snapshot. */
export function adopt(
  names: StableIds,
  number: number,
  overview: Overview,
): Snapshot & { overview: Overview } {
  const { base, events } = overview;
  return { number, base, events, ...names.adopt(inRecording(overview)) };
}
