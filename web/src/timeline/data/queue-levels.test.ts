import { describe, expect, it } from "vitest";
import type { SessionClient } from "../../session/client";
import type { GraphSource } from "../../session/wire";
import { overviewOf } from "../fixture";
import { queueLevelStore } from "./queue-levels";

interface Asked {
  source: GraphSource;
  window: { start: number; end: number };
  width: number;
}

const overview = {
  ...overviewOf([]),
  levels: [4, null, 6].map((context, number) => ({
    resource: number + 10,
    class: "queue",
    name: "q",
    object: null,
    capacity: null,
    context,
  })),
};
const wait = () => new Promise((resolve) => setTimeout(resolve));

function queues() {
  const asked: Asked[] = [];
  const client = {
    query: (query: Asked) => {
      asked.push(query);
      const { start } = query.window;
      return Promise.resolve({
        positions: [start],
        min: [0],
        max: [query.width === 1 ? 7 : 2],
        limit: null,
      });
    },
  } as unknown as SessionClient;
  return {
    asked,
    store: queueLevelStore(
      client,
      () => overview.levels,
      () => ({ start: 0, end: 1000 }),
      (error) => {
        throw error;
      },
    ),
  };
}

const wanted = (from: number, to: number, keys = [4, 6]) => ({
  axis: "time" as const,
  part: { start: from, end: to },
  width: 100,
  keys,
  traceEnd: 1000,
});

describe("queue levels", () => {
  it("are queried for visible contexts with a queue, with the maximum of the whole trace", async () => {
    const { asked, store } = queues();
    store.request(wanted(0, 100));
    await wait();
    expect(new Set(asked.map(({ source }) => source.kind === "level" && source.resource))).toEqual(
      new Set([10, 12]),
    );
    expect(store.get(4, "time")).toMatchObject({ max: 7, graph: { max: [2] } });
    expect(store.get(5, "time")).toBeNull();
    expect(store.get(4, "index")).toBeNull();
    expect(
      asked.filter(({ width }) => width === 1).map(({ window }) => [window.start, window.end]),
    ).toEqual([
      [0, 1000],
      [0, 1000],
    ]);
  });

  it("are queried again only past the known interval, or at another zoom", async () => {
    const { asked, store } = queues();
    store.request(wanted(0, 100, [4]));
    await wait();
    const before = asked.length;
    store.request(wanted(10, 110, [4]));
    await wait();
    expect(asked).toHaveLength(before);
    store.request(wanted(10, 60, [4]));
    await wait();
    store.request(wanted(200, 250, [4]));
    await wait();
    expect(asked).toHaveLength(before + 2);
  });

  it("signal changes", async () => {
    const { store } = queues();
    const before = store.changes.value;
    store.request(wanted(0, 100));
    await wait();
    expect(store.changes.value).toBeGreaterThan(before);
    const after = store.changes.value;
    store.stop();
    store.request(wanted(500, 600));
    await wait();
    expect(store.changes.value).toBe(after);
  });
});
