/** Overviews for tests. */

import type { Overview } from "../session/wire";
import { emptyOverview } from "../state/live/empty-overview";

/**
 * A trace with one core, two interrupt service routines, and threads of these names and priorities.
 */
export function overviewOf(
  threads: readonly { name: string; priority: number | null; events?: number; busyTime?: number }[],
): Overview {
  const context = (kind: Overview["contexts"][number]["kind"], name: string) => ({
    kind,
    name,
    address: "0x0",
    object: null as number | null,
    events: 0,
    priority: null as number | null,
    cpu_time: 0,
    share: null,
  });
  const lane = { events: 1, busy_time: 1, share: null };
  return {
    ...emptyOverview("test"),
    events: 100,
    span: 1000,
    clock: {
      source: null,
      frequency_hz: null,
      quality: "good",
      no_time: null,
      direction: "up",
      bits: 32,
    },
    cores: [0],
    contexts: [
      context("interrupt", "interrupt"),
      context("initialize", "initialize"),
      context("idle", "idle"),
      ...threads.map(({ name, priority }, object) => ({
        ...context("thread", name),
        priority,
        object,
      })),
    ],
    lanes: [
      { kind: "summary", name: "Summary", ...lane },
      { kind: "interrupt", core: 0, name: "Interrupts", ...lane },
      { kind: "isr", core: 0, number: 1, name: "ISR 1", ...lane },
      { kind: "isr", core: 0, number: 2, name: "ISR 2", ...lane },
      { kind: "initialize-idle", core: 0, name: "Initialisation / idle", ...lane },
      ...threads.map(({ name, events = 0, busyTime = 0 }, thread) => ({
        kind: "thread" as const,
        context: thread + 3,
        name,
        events,
        busy_time: busyTime,
        share: null,
      })),
    ],
    lane_order: [...Array(5 + threads.length).keys()],
    classes: [
      { code: 0, name: "nothing" },
      { code: 1, name: "unknown" },
      { code: 2, name: "ready" },
      { code: 3, name: "running" },
      { code: 8, name: "mutex" },
      { code: 20, name: "thread" },
    ],
  };
}

/** The same with active objects: a state machine's lane below each thread's lane. */
export function withMachines(overview: Overview): Overview {
  const states = ["idle", "busy"].map((name, number) => ({
    object: null,
    name,
    class: 28 + number,
    visits: 1,
    residency: 10,
    share: null,
  }));
  const lanes = overview.lanes.flatMap((lane): Overview["lanes"] =>
    lane.kind !== "thread"
      ? [lane]
      : [
          lane,
          {
            kind: "machine",
            context: lane.context,
            name: `${lane.name}: states`,
            events: 0,
            busy_time: 1,
            share: null,
          },
        ],
  );
  return {
    ...overview,
    contexts: overview.contexts.map((context) =>
      context.kind === "thread" ? { ...context, kind: "active-object" } : context,
    ),
    lanes,
    lane_order: [...lanes.keys()],
    machines: overview.lanes.flatMap((lane) =>
      lane.kind === "thread" ? [{ context: lane.context, states }] : [],
    ),
    has_machines: true,
  };
}
