import { expect, it } from "vitest";
import { fakeTrace } from "../fixture";
import { parsePercent, percentText } from "./percent";
import { stepModeName, stepModeOf, stepModes } from "./step-modes";

it("formats and parses zoom factors", () => {
  expect([1, 2.5, 340, 123_456].map(percentText)).toEqual([
    "100 %",
    "250 %",
    "340 ×",
    "123\u202f000 ×",
  ]);
  expect(["250", "250 %", "30 ×", "123\u202f000 x", " 12.5"].map(parsePercent)).toEqual([
    250, 250, 3000, 12_300_000, 12.5,
  ]);
  expect(["", "0", "-5", "abc", "3k", "%"].map(parsePercent)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

it("converts each choice back from its name", () => {
  const trace = fakeTrace();
  trace.searchResult.value = { search: { filter: "core == 0" }, total: 1, error: null };
  const names = stepModes(trace).flatMap(({ modes: listed }) => listed.map(({ name }) => name));
  expect(names).toContain("search");
  for (const name of names) {
    const by = stepModeOf(trace, name);
    expect(by && stepModeName(by)).toBe(name);
  }
  expect(stepModeOf(trace, "sideways")).toBeNull();
});

it("offers no hits of a failed search", () => {
  const trace = fakeTrace();
  trace.searchResult.value = { search: { filter: "?" }, total: 0, error: "no" };
  expect(stepModes(trace)[0]?.modes.map(({ name }) => name)).toEqual(["event", "switch"]);
  expect(stepModeOf(trace, "search")).toBeNull();
});
