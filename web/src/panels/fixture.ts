/** A trace for tests. */

import type { Answers, QueryOf, SessionClient } from "../session/client";
import type { Overview, Query } from "../session/wire";
import { emptyOverview } from "../state/live/empty-overview";
import { TraceState } from "../state/trace";

/** Overview of a small trace. */
function overview(changes: Partial<Overview>): Overview {
  const context = { object: null, events: 1, priority: null, cpu_time: 0 };
  return {
    ...emptyOverview("trace"),
    events: 1000,
    span: 50_000,
    clock: {
      source: null,
      frequency_hz: 1_000_000,
      quality: "good",
      no_time: null,
      direction: "up",
      bits: 32,
    },
    cores: [0],
    contexts: [
      { ...context, kind: "interrupt", name: "(interrupt)", address: "0xffffffff" },
      { ...context, kind: "thread", name: "thread", address: "0x2000", object: 0, priority: 4 },
    ],
    lanes: [{ kind: "thread", context: 1, name: "thread", events: 9, busy_time: 10, share: 10 }],
    lane_order: [0],
    kinds: [
      {
        id: 7,
        name: "kind",
        component: "component",
        letters: "KI",
        colour: "#112233",
        lower_colour: "#112233",
        arguments: ["argument", null, null, null],
        events: 9,
      },
    ],
    objects: [
      {
        class: "queue",
        name: "queue",
        address: "0x30",
        parameters: [["capacity", 4]],
        deleted: false,
        context: null,
      },
    ],
    diagnostics: [{ severity: "warning", kind: "odd", message: "odd", event: 3, count: 2 }],
    ...changes,
  };
}

/** Answers queries by type; others are never answered. */
const fakeClient = (answers: Partial<Answers>): SessionClient => ({
  query<A extends Query["query"]>(query: QueryOf<A>): Promise<Answers[A]> {
    const answer = answers[query.query as A];
    return answer === undefined ? new Promise(() => {}) : Promise.resolve(answer as Answers[A]);
  },
  command: () => Promise.resolve(),
});

/** A trace with these answers. */
export function fakeTrace(
  answers: Partial<Answers> = {},
  changes: Partial<Overview> = {},
  id = 1,
): TraceState {
  return new TraceState(id, overview(changes), fakeClient(answers));
}
