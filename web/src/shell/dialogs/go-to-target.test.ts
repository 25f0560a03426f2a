import { expect, it } from "vitest";
import { parseTarget } from "./go-to-target";

it.each([
  ["1234", { event: 1234 }],
  [" 0 ", { event: 0 }],
  ["1 234", { event: 1234 }],
  ["1_234", { event: 1234 }],
  ["#17", { event: 17 }],
  ["event 17", { event: 17 }],
  ["20000 ticks", { ticks: 20_000 }],
  ["1 tick", { ticks: 1 }],
  ["1.5ms", { ticks: 1500 }],
  ["1.5 ms", { ticks: 1500 }],
  ["3s", { ticks: 3_000_000 }],
  ["20us", { ticks: 20 }],
])("parses %s", (text, target) => {
  expect(parseTarget(text, 1_000_000)).toEqual(target);
});

it("needs a clock frequency for times", () => {
  expect(parseTarget("1.5ms", null)).toMatch(/clock/);
  expect(parseTarget("15 ticks", null)).toEqual({ ticks: 15 });
});

it("says why a clock has no times", () => {
  const why = "the clock counts events: only the order of events is known";
  expect(parseTarget("1.5ms", null, why)).toBe(`Enter an event number or ticks: ${why}.`);
});

it.each(["", "here", "1.5", "-3", "3 parsecs", "1e9", "0x10"])(
  "explains the problem with %j",
  (text) => {
    expect(parseTarget(text, 1_000_000)).toMatch(/^Enter/);
  },
);
