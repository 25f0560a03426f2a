import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeTrace } from "../../panels/fixture";
import type { Answers, QueryOf } from "../../session/client";
import type { Query } from "../../session/wire";
import type { TraceState } from "../trace";
import { activeId, traces } from "../viewer";
import { type Comparison, compare, comparison, endComparison, shownComparison } from "./comparison";

const clock = (frequency_hz: number | null) => ({
  source: null,
  frequency_hz,
  quality: "good" as const,
  no_time: null,
  direction: "up" as const,
  bits: 32,
});

let before: TraceState;
let after: TraceState;

function open(clocks: [number | null, number | null]): Comparison {
  before = fakeTrace({}, { clock: clock(clocks[0]) }, 1);
  after = fakeTrace({}, { clock: clock(clocks[1]), span: 100_000 }, 2);
  traces.value = [before, after];
  activeId.value = 1;
  compare(before, after);
  const shown = shownComparison.value;
  if (shown === null) throw new Error("no comparison");
  return shown;
}

beforeEach(() => {
  traces.value = [];
});
afterEach(endComparison);

describe("a comparison", () => {
  it("moves both recordings, each by its clock", () => {
    open([1_000, 2_000]);
    before.show(1_000, 2_000);
    expect(after.window.value).toEqual({ start: 2_000, end: 4_000 });
    after.show(10_000, 20_000);
    expect(before.window.value).toEqual({ start: 5_000, end: 10_000 });
    before.cursor.value = 6_000;
    expect(after.cursor.value).toBe(12_000);
    after.cursor.value = null;
    expect(before.cursor.value).toBeNull();
    after.range.value = { axis: "time", start: 200, end: 100 };
    expect(before.range.value).toEqual({ axis: "time", start: 100, end: 50 });
  });

  it("shows all of the longer one in both", () => {
    open([1_000, 1_000]);
    after.show(60_000, 90_000);
    expect(before.window.value).toEqual({ start: 60_000, end: 90_000 });
    endComparison();
    before.show(60_000, 90_000);
    expect(before.window.value.end).toBeLessThanOrEqual(51_000);
  });

  it("aligns moments, and the active side stays where it is", () => {
    const shown = open([1_000, 1_000]);
    before.show(1_000, 2_000);
    shown.align([
      { time: 1_500, event: 1 },
      { time: 30_000, event: 9 },
    ]);
    expect(before.window.value).toEqual({ start: 1_000, end: 2_000 });
    expect(after.window.value).toEqual({ start: 29_500, end: 30_500 });
    shown.isLinked.value = false;
    before.show(5_000, 6_000);
    expect(after.window.value).toEqual({ start: 29_500, end: 30_500 });
  });

  it("does not link times if one clock is unknown, but events", () => {
    const shown = open([1_000, null]);
    const { value } = after.window;
    before.show(1_000, 2_000);
    expect(after.window.value).toEqual(value);
    expect(shown.link.value).toBeNull();
    before.axis.value = "index";
    before.show(100, 200);
    expect(after.axis.value).toBe("index");
    expect(after.window.value).toEqual({ start: 100, end: 200 });
    after.frequencyHz.value = 4_000;
    before.axis.value = "time";
    before.show(1_000, 2_000);
    expect(after.window.value).toEqual({ start: 4_000, end: 8_000 });
  });

  it("selects what is at the same time on the other side, once", async () => {
    open([1_000, 2_000]);
    const asked: Query[] = [];
    for (const trace of [before, after]) {
      trace.client.query = async <A extends Query["query"]>(query: QueryOf<A>) => {
        asked.push(query);
        return { event: 7, time: 399, context: 1, kind: 7 } as unknown as Answers[A];
      };
    }
    before.selected.value = { event: 3, time: 200, context: 1, kind: 7 };
    await Promise.resolve();
    await Promise.resolve();
    expect(asked).toEqual([{ query: "locate", axis: "time", at: 400 }]);
    expect(after.selected.value?.event).toBe(7);
    expect(before.selected.value?.event).toBe(3);
    before.selected.value = null;
    expect(after.selected.value).toBeNull();
  });

  it("ends when one of its recordings is closed", () => {
    open([1_000, 1_000]);
    expect(comparison.value).not.toBeNull();
    traces.value = [after];
    expect(comparison.value).toBeNull();
  });
});
