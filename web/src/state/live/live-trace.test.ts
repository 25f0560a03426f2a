import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { notice } from "../viewer";
import { FakeServer } from "./fixture";
import { LiveTrace } from "./live-trace";

const frames = new Map<number, FrameRequestCallback>();
let lastFrame = 0;
const opened: LiveTrace[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => {
    lastFrame += 1;
    frames.set(lastFrame, call);
    return lastFrame;
  });
  vi.stubGlobal("cancelAnimationFrame", (number: number) => {
    frames.delete(number);
  });
});

afterEach(() => {
  for (const live of opened.splice(0)) live.stop();
  frames.clear();
  notice.value = null;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const pass = (time = 50) => vi.advanceTimersByTimeAsync(time);

/** Runs the animation frame callbacks. */
function draw() {
  const calls = [...frames.values()];
  frames.clear();
  for (const call of calls) call(performance.now());
}

function open() {
  const server = new FakeServer();
  vi.stubGlobal("fetch", server.fetch);
  const live = new LiveTrace(1, "target", () => true);
  opened.push(live);
  live.start();
  return { server, live, trace: live.trace };
}

/** A live trace with some events recorded and shown. */
async function recorded(total = 1000, events = 100) {
  const all = open();
  all.server.record(total, events);
  await pass();
  return all;
}

describe("a live trace", () => {
  it("is empty until the first events, then follows them", async () => {
    const { server, live, trace } = open();
    await pass();
    expect(live.shown.value).toBeNull();
    expect(trace.overview).toMatchObject({ name: "target", lanes: [] });
    server.record(1000, 100);
    await pass();
    expect(trace.extent.value).toEqual({
      base: { event: 900, time: 9000 },
      events: 100,
      span: 990,
    });
    expect(trace.lanes.order.value).toHaveLength(7);
    // Two seconds of a clock of 1000 Hz, up to the newest event.
    expect(trace.window.value).toEqual({ start: 7990, end: 9990 });
    expect(trace.frequencyHz.value).toBe(1000);
  });

  it("gives panels its target window, even when no more events come", async () => {
    const { server, live, trace } = open();
    const parts: unknown[] = [];
    const stop = trace.settledWindow.subscribe((part) => {
      parts.push(part);
    });
    server.record(1000, 100);
    await pass();
    expect(parts.at(-1)).toEqual({ start: 7990, end: 9990 });
    live.stretch(0.5);
    expect(parts.at(-1)).toEqual({ start: 8990, end: 9990 });
    trace.axis.value = "index";
    expect(parts.at(-1)).toEqual({ start: 500, end: 1000 });
    stop();
  });

  it("updates panels once a second, and at once for a new thread", async () => {
    const { server, trace } = await recorded();
    const news = trace.dataVersion.value;
    for (let turn = 1; turn <= 8; turn += 1) {
      server.record(1000 + turn * 10, 100);
      await pass();
    }
    expect(trace.extent.value.base.event).toBe(980);
    expect(trace.dataVersion.value).toBe(news);
    expect(trace.overview.base.event).toBe(900);
    await pass(1000);
    expect(trace.dataVersion.value).toBe(news + 1);
    expect(trace.overview.base.event).toBe(980);
    const structure = trace.structureVersion.value;
    server.threads = ["new", "b", "a"];
    server.record(2000, 100);
    await pass();
    expect(trace.structureVersion.value).toBe(structure + 1);
    expect(trace.overview.lanes.map(({ name }) => name).slice(-3)).toEqual(["a", "b", "new"]);
    // It appears where the server lists it; the other lanes stay.
    expect(trace.lanes.order.value).toEqual([0, 1, 2, 3, 4, 7, 5, 6]);
  });

  it("moves its right edge evenly and keeps its length", async () => {
    const { server, live, trace } = await recorded();
    const ends: number[] = [];
    for (let turn = 1; turn <= 30; turn += 1) {
      server.record(1000 + turn * 5, 100);
      await pass(25);
      live.answered("time", trace.fullInterval.value.end);
      for (let frame = 0; frame < 2; frame += 1) {
        await pass(12);
        draw();
        ends.push(trace.window.value.end);
        expect(trace.window.value.end - trace.window.value.start).toBe(2000);
      }
    }
    expect(ends.every((end, at) => at === 0 || end >= (ends[at - 1] ?? 0))).toBe(true);
    expect(new Set(ends.slice(20)).size).toBe(40);
    expect(ends.at(-1)).toBeGreaterThan(11_000);
    expect(ends.at(-1)).toBeLessThanOrEqual(trace.fullInterval.value.end);
  });

  it("zooms around the right edge while it follows", async () => {
    const { trace } = await recorded();
    trace.zoom(0.5, 8000);
    expect(trace.isFollowing.value).toBe(true);
    expect(trace.window.value).toEqual({ start: 8990, end: 9990 });
    trace.pan(0.5);
    expect(trace.isFollowing.value).toBe(true);
  });
});

describe("pausing", () => {
  it("holds everything in memory, at the same position, while recording continues", async () => {
    const { server, live, trace } = await recorded(5000, 100);
    const { window } = trace;
    const before = window.value;
    live.pause();
    expect(trace.isFollowing.value).toBe(false);
    await pass();
    expect(trace.extent.value).toMatchObject({ base: { event: 4000 }, events: 1000 });
    expect(window.value).toEqual(before);
    const held = live.shown.value?.snapshot;
    server.record(5600, 100);
    await pass(1000);
    expect(live.shown.value?.snapshot).toBe(held);
    expect(live.lag.value).toBe(600);
    expect(server.requests.at(-1)?.parameters.get("hold")).toBe(String(held));
    live.follow();
    await pass();
    expect(trace.extent.value).toMatchObject({ base: { event: 5500 }, events: 100 });
    expect(live.lag.value).toBe(0);
    expect(window.value.end).toBe(trace.fullInterval.value.end);
  });

  it.each<[string, (trace: LiveTrace["trace"]) => void]>([
    ["panning left", (trace) => trace.pan(-0.1)],
    ["showing another interval", (trace) => trace.show(9100, 9200)],
    [
      "selecting",
      (trace) => {
        trace.selected.value = { event: 950, time: 9500, context: 3, kind: 3 };
      },
    ],
    [
      "measuring",
      (trace) => {
        trace.range.value = { axis: "time", start: 9100, end: 9300 };
      },
    ],
  ])("happens automatically when %s", async (_, act) => {
    const { trace, live } = await recorded();
    act(trace);
    expect(trace.isFollowing.value).toBe(false);
    await pass();
    expect(live.isFetching.value).toBe(false);
    expect(live.shown.value?.events).toBe(1000);
  });

  it("goes back to older events and forth again", async () => {
    const { live, trace } = await recorded(5000, 100);
    live.pause();
    await pass();
    trace.show(40_000, 40_500);
    expect(live.shown.value?.has_older).toBe(true);
    await live.older();
    expect(trace.extent.value).toMatchObject({ base: { event: 3500 }, events: 500 });
    // As near to the previous position as there are events.
    expect(trace.window.value.end).toBeGreaterThan(39_900);
    expect(trace.window.value.end - trace.window.value.start).toBeCloseTo(500, 6);
    await live.older();
    expect(trace.extent.value.base.event).toBe(3000);
    expect(live.hasNewer.value).toBe(true);
    await live.newer();
    expect(trace.extent.value.base.event).toBe(3500);
    await live.newer();
    expect(trace.extent.value.base.event).toBe(4000);
    expect(live.hasNewer.value).toBe(false);
  });

  it("finds an event that is only on disk", async () => {
    const { trace } = await recorded(9000, 100);
    const found = trace.select(2000);
    await pass();
    expect(await found).toBe(true);
    expect(trace.selected.value).toMatchObject({ event: 2000, time: 20_000 });
    expect(trace.extent.value.base.event).toBeLessThanOrEqual(2000);
    expect(trace.window.value.start).toBeLessThan(20_000);
    expect(trace.window.value.end).toBeGreaterThan(20_000);
  });

  it("survives a query that comes too late", async () => {
    const { server, live, trace } = await recorded(5000, 100);
    server.bookmarks = [{ event: 4500, note: "n" }];
    server.lateFor.add("bookmarks");
    live.pause();
    await pass();
    expect(live.isFetching.value).toBe(false);
    expect(trace.bookmarks.value).toEqual(server.bookmarks);
    server.lateFor.add("overview");
    live.follow();
    await pass();
    server.record(6000, 100);
    await pass();
    expect(trace.extent.value.base.event).toBe(5900);
    expect(live.outage.value).toBeNull();
  });

  it("loads another snapshot if the held one is gone", async () => {
    const { server, live, trace } = await recorded(5000, 100);
    live.pause();
    await pass();
    server.dropSnapshots();
    server.record(9000, 100);
    const place = trace.client.query({ query: "locate", axis: "index", at: 8500 });
    await pass();
    expect(await place).toMatchObject({ event: 8500 });
    expect(trace.extent.value).toMatchObject({ base: { event: 8000 }, events: 1000 });
    expect(trace.isFollowing.value).toBe(false);
  });
});

describe("marks", () => {
  it("keep their positions across snapshots, and go with their events", async () => {
    const { server, live, trace } = await recorded(1000, 500);
    server.bookmarks = [{ event: 700, note: "n" }];
    live.pause();
    await pass();
    trace.selected.value = { event: 700, time: 7000, context: 3, kind: 3 };
    trace.markers.a.value = { event: 990, time: 9900 };
    trace.pinned.value = [600, 980];
    trace.range.value = { axis: "time", start: 7000, end: 7100 };
    expect(trace.bookmarks.value).toEqual([{ event: 700, note: "n" }]);
    live.follow();
    server.record(1100, 500);
    await pass();
    expect(trace.selected.value?.event).toBe(700);
    expect(notice.value).toBeNull();
    server.record(1400, 500);
    await pass();
    expect(trace.selected.value).toBeNull();
    expect(trace.markers.a.value?.event).toBe(990);
    expect(trace.pinned.value).toEqual([980]);
    expect(trace.range.value).toBeNull();
    expect(trace.bookmarks.value).toEqual([]);
    expect(notice.value).toMatch(/Selected event, Range, Pinned event/);
    expect(trace.isFollowing.value).toBe(true);
  });
});

describe("thousands of snapshots", () => {
  it("take no more memory than a few", async () => {
    const { server, live, trace } = await recorded();
    const sizes = () => {
      const counted = (of: unknown, depth: number): number => {
        if (typeof of !== "object" || of === null || depth === 0) return 0;
        const inner = of instanceof Map || of instanceof Set ? [...of.values()] : Object.values(of);
        return inner.reduce<number>((sum, one) => sum + 1 + counted(one, depth - 1), 0);
      };
      return counted(live, 5);
    };
    const turn = async (number: number) => {
      // Threads appear in changing order, as they do in a short part of a recording.
      server.threads = number % 2 === 0 ? ["a", "b"] : ["b", "a"];
      server.status = { ...server.status, received_at: Date.now() };
      server.record(1000 + number * 20, 100);
      await pass(20);
      live.answered("time", trace.fullInterval.peek().end);
      live.painted();
      draw();
    };
    for (let number = 1; number <= 200; number += 1) await turn(number);
    const [early, timers] = [sizes(), vi.getTimerCount()];
    server.requests = [];
    for (let number = 201; number <= 2000; number += 1) await turn(number);
    expect(trace.extent.value.base.event).toBe(40_900);
    expect(sizes()).toBeLessThan(early * 1.2);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(timers + 1);
    expect(trace.overview.lanes).toHaveLength(7);
    expect(performance.getEntriesByName("rtoscope:live").length).toBeLessThanOrEqual(1000);
  }, 120_000);
});
