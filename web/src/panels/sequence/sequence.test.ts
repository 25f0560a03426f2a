import { describe, expect, it } from "vitest";
import { fakeTrace } from "../fixture";
import { neighbouringEvent } from "./SequencePanel";
import { changeOptions, sequenceOptions, sequenceQuery } from "./sequence-options";

describe("elements of a diagram", () => {
  it("are stepped through in event order", () => {
    const events = [3, 8, 20];
    expect(neighbouringEvent(events, undefined, 1)).toBe(3);
    expect(neighbouringEvent(events, undefined, -1)).toBe(20);
    expect(neighbouringEvent(events, 8, 1)).toBe(20);
    expect(neighbouringEvent(events, 9, -1)).toBe(8);
    expect(neighbouringEvent(events, 20, 1)).toBeUndefined();
    expect(neighbouringEvent([], 4, -1)).toBeUndefined();
  });
});

describe("the options", () => {
  it("become the query", () => {
    const trace = fakeTrace();
    changeOptions(trace, { objects: [4], actions: true });
    const window = { axis: "time", start: 0, end: 10 } as const;
    expect(sequenceQuery(sequenceOptions(trace).value, window, "mermaid", 7)).toEqual({
      query: "sequence",
      window,
      objects: [4],
      format: "mermaid",
      states: true,
      actions: true,
      timers: true,
      limit: 7,
    });
  });
});
