// @vitest-environment jsdom

import { render } from "preact";
import { expect, it } from "vitest";
import { fakeTrace } from "../../fixture";
import { Histogram } from "./Histogram";

const of = {
  count: 103,
  min: 0,
  mean: 5,
  p50: 4,
  p90: 9,
  p99: 14,
  max: 14,
  longest: null,
  event: 1,
  histogram: [
    { min: 0, max: 4, count: 100 },
    { min: 5, max: 9, count: 0 },
    { min: 10, max: 14, count: 3 },
  ],
};

it("draws a bar for each bin with durations", () => {
  const root = document.createElement("div");
  render(<Histogram trace={fakeTrace()} label="Wake-up" of={of} />, root);
  const heights = [...root.querySelectorAll("rect")].map((bar) =>
    Number(bar.getAttribute("height")),
  );
  expect(heights).toHaveLength(3);
  expect(heights[0]).toBeGreaterThan(heights[2] ?? 0);
  expect(heights[2]).toBeGreaterThan(0);
  expect(heights[1]).toBe(0);
  expect(root.querySelector("svg")?.getAttribute("aria-label")).toContain("103 durations");
});
