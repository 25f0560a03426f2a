import { describe, expect, it, vi } from "vitest";
import type { SessionClient } from "../../session/client";
import type { Post } from "../../session/wire";
import { PostStore } from "./posts";

interface Asked {
  window: { axis: string; start: number; end: number };
  limit: number;
}

const post = (event: number): Post => ({
  event,
  time: event,
  sender_context: null,
  sender_name: "x",
  receiver: 1,
  signal: 1,
  signal_name: "S",
  front: false,
  recalled: false,
  step_event: event + 1,
  step_time: event + 1,
});

/** One post per unit of the axis. */
function crowd() {
  const asked: Asked[] = [];
  const client = {
    query: (query: Asked) => {
      asked.push(query);
      const total = Math.round(query.window.end - query.window.start);
      const posts =
        total > query.limit
          ? []
          : Array.from({ length: total }, (_, at) => post(Math.ceil(query.window.start) + at));
      return Promise.resolve({ total, posts });
    },
  } as unknown as SessionClient;
  return {
    asked,
    store: new PostStore(client, (error) => {
      throw error;
    }),
  };
}

const wait = () => new Promise((resolve) => setTimeout(resolve));
const part = (from: number, to: number) => ({
  axis: "time" as const,
  part: { start: from, end: to },
  width: 120,
  traceEnd: 100_000,
});

describe("posts", () => {
  it("are queried with padding, and again only past its end", async () => {
    const { asked, store } = crowd();
    store.request(part(0, 10));
    await wait();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.window.start).toBeLessThan(0);
    expect(store.get("time").length).toBeGreaterThanOrEqual(14);
    expect(store.tooMany("time")).toBeNull();
    store.request(part(1, 9));
    store.request(part(2, 11));
    await wait();
    expect(asked).toHaveLength(1);
    store.request(part(5, 15));
    await wait();
    expect(asked).toHaveLength(2);
    expect(store.get("index")).toEqual([]);
  });

  it("are queried without padding if there are too many with it", async () => {
    const { asked, store } = crowd();
    store.request(part(0, 20));
    await wait();
    expect(asked.map(({ window }) => window.end - window.start)).toEqual([30]);
    store.request(part(100, 120.9));
    await wait();
    expect(asked).toHaveLength(3);
    expect(store.tooMany("time")).toBe(21);
  });

  it("are only counted if there are too many, and not queried twice", async () => {
    const { asked, store } = crowd();
    store.request(part(0, 1000));
    await wait();
    expect(store.get("time")).toEqual([]);
    expect(store.tooMany("time")).toBe(1000);
    expect(store.tooMany("index")).toBeNull();
    const before = asked.length;
    store.request(part(0, 1000));
    await wait();
    expect(asked).toHaveLength(before);
    store.request(part(0, 8));
    await wait();
    expect(store.tooMany("time")).toBeNull();
    expect(store.get("time").length).toBeGreaterThan(7);
  });

  it("of the latest view win", async () => {
    const answers: ((value: unknown) => void)[] = [];
    const ask = vi.fn(
      () =>
        new Promise((resolve) => {
          answers.push(resolve);
        }),
    );
    const store = new PostStore({ query: ask } as unknown as SessionClient, () => {});
    for (const from of [0, 1000, 5000]) store.request(part(from, from + 10));
    expect(ask).toHaveBeenCalledTimes(1);
    answers[0]?.({ total: 0, posts: [] });
    await wait();
    expect(ask).toHaveBeenCalledTimes(2);
    expect((ask.mock.calls as unknown as [Asked][])[1]?.[0].window.start).toBeCloseTo(4997.5, 0);
    store.stop();
    answers[1]?.({ total: 1, posts: [post(1)] });
    await wait();
    expect(store.get("time")).toEqual([]);
  });
});
