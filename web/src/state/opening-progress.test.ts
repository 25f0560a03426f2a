import { describe, expect, it } from "vitest";
import type { OpeningProgress } from "../session/wire";
import { analysedSpan, followProgress, fractionDone } from "./opening-progress";

const progress = (change: Partial<OpeningProgress>): OpeningProgress => ({
  phase: "reading",
  done: 0,
  total: null,
  events: null,
  density: null,
  ...change,
});

const density = { span: 400, counts: [10, 0, 30, 60] };

describe("progress of opening a trace", () => {
  it("is a fraction where the size is known", () => {
    expect(fractionDone(progress({ done: 5 }))).toBeNull();
    expect(fractionDone(progress({ total: 0 }))).toBeNull();
    expect(fractionDone(progress({ done: 5, total: 20 }))).toBe(0.25);
    expect(fractionDone(progress({ done: 21, total: 20 }))).toBe(1);
  });

  it("reaches the time of the last analysed event", () => {
    const analysed = (done: number) =>
      analysedSpan(progress({ phase: "analysis", done, total: 100, events: 100, density }));
    expect(analysed(0)).toBe(0);
    expect(analysed(5)).toBe(0.125);
    expect(analysed(10)).toBe(0.5);
    expect(analysed(25)).toBe(0.625);
    expect(analysed(100)).toBe(1);
    expect(analysedSpan(progress({ phase: "indexing", density }))).toBe(1);
    expect(analysedSpan(progress({ phase: "decoding", done: 50, total: 100 }))).toBeNull();
  });

  it("is followed until the trace is open or fails", async () => {
    const shown: OpeningProgress[] = [];
    await followProgress(1, Promise.resolve(), (one) => shown.push(one));
    await followProgress(1, Promise.reject(new Error("no trace")), (one) => shown.push(one));
    expect(shown).toEqual([]);
  });
});
