import { describe, expect, it } from "vitest";
import { type Anchors, commonExtent, inverse, linked, linkOf } from "./link";

const ANCHORS: Anchors = [
  { time: 100, event: 3 },
  { time: 5_000, event: 40 },
];

describe("the link of two recordings", () => {
  it("maps times by both clocks", () => {
    const link = linkOf("time", [1_000, 25_000], ANCHORS);
    if (link === null) throw new Error("no link");
    expect([100, 101, 0].map((at) => linked(link, at))).toEqual([5_000, 5_025, 2_500]);
    expect(linked(inverse(link), 5_025)).toBeCloseTo(101, 9);
  });

  it("maps ticks if no clock is known, and nothing if one is", () => {
    expect(linkOf("time", [null, null], ANCHORS)).toEqual({ offset: 4_900, rate: 1 });
    expect(linkOf("time", [1_000, null], ANCHORS)).toBeNull();
    expect(linkOf("time", [null, 1_000], ANCHORS)).toBeNull();
    expect(linkOf("index", [null, 1_000], ANCHORS)).toEqual({ offset: 37, rate: 1 });
  });

  it("has room for both recordings", () => {
    const base = { time: 0, event: 0 };
    const extents = [
      { base, events: 10, span: 100 },
      { base, events: 10, span: 9_000 },
    ] as const;
    const link = { offset: -500, rate: 10 };
    expect(commonExtent("time", link, extents)).toEqual({ start: 0, end: 950 });
    const [first, second] = extents;
    expect(commonExtent("time", inverse(link), [second, first])).toEqual({
      start: -500,
      end: 9_000,
    });
  });
});
