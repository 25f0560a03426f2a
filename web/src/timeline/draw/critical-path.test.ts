import { describe, expect, it } from "vitest";
import type { CriticalPathReport, PathSegmentRow } from "../../session/reports";
import type { Lane } from "../../session/wire";
import { criticalPathParts, lanesOfSegment } from "./critical-path";

const segment = (own: Partial<PathSegmentRow>): PathSegmentRow => ({
  start: 0,
  end: 0,
  duration: 0,
  event: 0,
  context: "",
  thread: null,
  core: null,
  isr: null,
  runs: true,
  cause: "",
  blocks: null,
  resumes: null,
  ...own,
});

const path: CriticalPathReport = {
  context: "a",
  event: 9,
  start: 10,
  end: 40,
  duration: 30,
  origin: "interrupt",
  origin_text: "",
  segments: [
    segment({ start: 10, event: 2, core: 0, isr: 7 }),
    segment({ start: 12, event: 3, thread: 4, runs: false }),
    segment({ start: 20, event: 5, thread: 4 }),
    segment({ start: 30, event: 7, thread: 5 }),
  ],
  contexts: [],
  causes: [],
};

describe("the critical path", () => {
  const y = ({ thread }: PathSegmentRow) => (thread === 5 ? null : (thread ?? 0));

  it("is a line for each segment and an arrow to the next lane", () => {
    expect(criticalPathParts(path, { axis: "time", x: (at) => at, y })).toEqual([
      { kind: "runs", from: [10, 0], to: [12, 0] },
      { kind: "resumes", from: [12, 0], to: [12, 4] },
      { kind: "waits", from: [12, 4], to: [20, 4] },
      { kind: "runs", from: [20, 4], to: [30, 4] },
    ]);
  });

  it("goes from event to event in the sequential view", () => {
    const parts = criticalPathParts(path, { axis: "index", x: (at) => at, y: () => 1 });
    expect(parts.map(({ from, to }) => [from[0], to[0]])).toEqual([
      [2.5, 3.5],
      [3.5, 5.5],
      [5.5, 7.5],
      [7.5, 9.5],
    ]);
  });

  it("is in the lane of the routine, or in that of all interrupts", () => {
    const lanes = [
      { kind: "summary" },
      { kind: "interrupt", core: 0 },
      { kind: "isr", core: 0, number: 7 },
      { kind: "thread", context: 4 },
    ] as unknown as Lane[];
    const lane = (own: Partial<PathSegmentRow>) => lanesOfSegment(lanes, segment(own));
    expect(lane({ core: 0, isr: 7 })).toEqual([2, 1]);
    expect(lane({ core: 0, isr: 8 })).toEqual([1]);
    expect(lane({ core: 1 })).toEqual([]);
    expect(lane({ thread: 4 })).toEqual([3]);
  });
});
