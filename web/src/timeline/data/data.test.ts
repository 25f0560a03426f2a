import { describe, expect, it, vi } from "vitest";
import type { SessionClient } from "../../session/client";
import type { LanesAnswer } from "../../session/lanes";
import { type LaneRequest, LaneRequests, padded } from "./lane-requests";
import { LaneStore } from "./lane-store";

const answerOf = (from: number, to: number, width: number, lanes: number[]): LanesAnswer => ({
  start: from,
  end: to,
  width,
  bytes: 0,
  switches: null,
  wakes: null,
  inversions: null,
  gaps: null,
  inversionShares: [],
  hits: null,
  lanes: lanes.map((lane) => ({
    lane,
    bars: { listed: false, class: new Uint8Array(width), busy: new Uint8Array(width), isr: null },
    events: { listed: false, density: new Uint8Array(width) },
    hits: null,
  })),
});

const wanted = (from: number, to: number, lanes = [1]): LaneRequest => ({
  axis: "time",
  part: { start: from, end: to },
  width: 100,
  visible: lanes,
  lanes,
  traceEnd: 10_000,
  search: null,
});

interface Asked {
  window: { start: number; end: number };
  width: number;
  lanes: number[];
}

/** A client that answers when the test says so. */
function slowClient() {
  const asked: Asked[] = [];
  const waiting: (() => void)[] = [];
  const client = {
    query: (query: Asked) =>
      new Promise((resolve) => {
        asked.push(query);
        const { window, width, lanes } = query;
        waiting.push(() => resolve(answerOf(window.start, window.end, width, lanes)));
      }),
  } as unknown as SessionClient;
  const answer = async () => {
    waiting.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { asked, client, answer };
}

describe("the queried window", () => {
  it("has padding on both sides, on a grid of whole pixels", () => {
    const { start: from, end: to, width } = padded({ start: 1003, end: 2003 }, 100);
    expect(width).toBe(150);
    expect((to - from) / width).toBeCloseTo(10, 9);
    expect(from % 10).toBe(0);
    expect(from).toBeLessThanOrEqual(1003 - 240);
    expect(to).toBeGreaterThanOrEqual(2003 + 240);
  });

  it("is not wider than the session allows", () => {
    expect(padded({ start: 0, end: 1 }, 8000).width).toBe(8192);
  });
});

describe("requests", () => {
  it("are made one at a time, and the latest wins", async () => {
    const { asked, client, answer } = slowClient();
    const came = vi.fn();
    const requests = new LaneRequests(client, new LaneStore(), came, () => {});
    requests.request(wanted(0, 100));
    requests.request(wanted(1000, 1100));
    requests.request(wanted(5000, 5100));
    expect(asked).toHaveLength(1);
    await answer();
    expect(came).toHaveBeenCalledTimes(1);
    expect(asked.map(({ window }) => window.start)).toEqual([-25, 4975]);
  });

  it("are not made for known data", async () => {
    const { asked, client, answer } = slowClient();
    const requests = new LaneRequests(
      client,
      new LaneStore(),
      () => {},
      () => {},
    );
    requests.request(wanted(0, 100));
    await answer();
    requests.request(wanted(10, 110));
    expect(asked).toHaveLength(1);
    // Another zoom, another lane and the end of the padding are not known.
    requests.request(wanted(10, 60));
    await answer();
    requests.request(wanted(10, 60, [1, 2]));
    await answer();
    requests.request(wanted(30, 80, [1, 2]));
    await answer();
    expect(asked).toHaveLength(4);
  });

  it("continue after a failure, without repeating the same query", async () => {
    let calls = 0;
    const client = {
      query: () => {
        calls += 1;
        return Promise.reject(new Error("no"));
      },
    } as unknown as SessionClient;
    const failed = vi.fn();
    const requests = new LaneRequests(client, new LaneStore(), () => {}, failed);
    for (const from of [0, 0, 0, 500]) {
      requests.request(wanted(from, from + 100));
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect(calls).toBe(2);
    expect(failed).toHaveBeenCalledTimes(2);
  });
});

describe("the store", () => {
  it("keeps the newest answer of each lane, for a bounded number of lanes", () => {
    const store = new LaneStore();
    for (let lane = 0; lane < 600; lane += 1) {
      const answer = answerOf(lane, lane + 1, 4, [lane]);
      store.put({ axis: "time", answer, traceEnd: 1000, search: null });
    }
    expect(store.get(0, "time")).toBeNull();
    expect(store.get(599, "time")?.answer.start).toBe(599);
    expect(store.get(599, "index")).toBeNull();
    expect(store.across("index")).toBeNull();
  });

  it("suffices for the search whose hits it marks only", () => {
    const store = new LaneStore();
    const search = { filter: "mutex" };
    store.put({ axis: "time", answer: answerOf(0, 100, 100, [1]), traceEnd: 100, search });
    const part = { start: 10, end: 20 };
    expect(store.suffices([1], "time", part, 1, 100, { filter: "mutex" })).toBe(true);
    expect(store.suffices([1], "time", part, 1, 100, { filter: "queue" })).toBe(false);
    expect(store.suffices([1], "time", part, 1, 100, null)).toBe(false);
  });
});
