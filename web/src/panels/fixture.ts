/** A trace for tests, with hostile names. */

import type { Answers, QueryOf, SessionClient } from "../session/client";
import type { Overview, Query } from "../session/wire";
import { TraceState } from "../state/trace";

// jsdom lays nothing out.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

/** A name that is harmless only as text. */
export const NASTY = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

/** Overview of a small trace. */
export function overview(changes: Partial<Overview> = {}): Overview {
  return {
    schema: "rtoscope/session/1",
    name: NASTY,
    format: "toy",
    format_description: "toy trace",
    facts: [{ label: "losses", value: NASTY }],
    base: { event: 0, time: 0 },
    ids_generation: 0,
    events: 1000,
    span: 50_000,
    clock: { frequency_hz: 1_000_000, quality: "good", no_time: null, direction: "up", bits: 32 },
    cores: [0],
    markers: [],
    user_events: [],
    intervals: [],
    contexts: [
      {
        kind: "interrupt",
        name: "(interrupt)",
        address: "0xffffffff",
        object: null,
        events: 1,
        priority: null,
        cpu_time: 0,
      },
      {
        kind: "thread",
        name: NASTY,
        address: "0x2000",
        object: 0,
        events: 9,
        priority: 4,
        cpu_time: 10,
      },
    ],
    lanes: [{ kind: "thread", context: 1, name: NASTY, events: 9, busy_time: 10, share: 10 }],
    lane_order: [0],
    kinds: [
      {
        id: 7,
        name: NASTY,
        component: NASTY,
        letters: "<b>",
        colour: "#112233",
        lower_colour: "#112233",
        arguments: [NASTY, null, null, null],
        events: 9,
      },
    ],
    objects: [
      {
        class: "queue",
        name: NASTY,
        address: "0x30",
        parameters: [[NASTY, 4]],
        deleted: false,
        context: null,
      },
    ],
    levels: [{ resource: 0, class: "queue", name: NASTY, object: 0, capacity: 4, context: null }],
    classes: [{ code: 3, name: "running" }],
    gaps: [],
    diagnostics: [{ severity: "warning", kind: "odd", message: NASTY, event: 3, count: 2 }],
    inversions: 0,
    machines: [],
    has_machines: false,
    reports: [{ kind: "findings", title: "Findings" }],
    ...changes,
  };
}

/** Answers queries by type; others are never answered. */
export function fakeClient(answers: Partial<Answers>): SessionClient & { asked: Query[] } {
  const asked: Query[] = [];
  return {
    asked,
    query<A extends Query["query"]>(query: QueryOf<A>): Promise<Answers[A]> {
      asked.push(query);
      const answer = answers[query.query as A];
      return answer === undefined ? new Promise(() => {}) : Promise.resolve(answer as Answers[A]);
    },
    command: () => Promise.resolve(),
  };
}

/** A trace with these answers. */
export function fakeTrace(
  answers: Partial<Answers> = {},
  changes: Partial<Overview> = {},
): TraceState {
  return new TraceState(1, overview(changes), fakeClient(answers));
}
