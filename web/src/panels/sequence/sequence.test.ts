import { describe, expect, it } from "vitest";
import { fakeTrace } from "../fixture";
import { neighbour } from "./SequencePanel";
import { change, query, wish } from "./wish";

describe("elements of a diagram", () => {
  it("are stepped through in event order", () => {
    const events = [3, 8, 20];
    expect(neighbour(events, undefined, 1)).toBe(3);
    expect(neighbour(events, undefined, -1)).toBe(20);
    expect(neighbour(events, 8, 1)).toBe(20);
    expect(neighbour(events, 9, -1)).toBe(8);
    expect(neighbour(events, 20, 1)).toBeUndefined();
    expect(neighbour([], 4, -1)).toBeUndefined();
  });
});

describe("the options", () => {
  it("become the query", () => {
    const trace = fakeTrace();
    change(trace, { objects: [4], actions: true });
    const window = { axis: "time", from: 0, to: 10 } as const;
    expect(query(wish(trace).value, window, "mermaid", 7)).toEqual({
      query: "sequence",
      window,
      objects: [4],
      format: "mermaid",
      states: true,
      actions: true,
      timers: true,
      most: 7,
    });
  });
});
