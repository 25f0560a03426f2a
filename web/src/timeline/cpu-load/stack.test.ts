import { describe, expect, it } from "vitest";
import type { CpuLoad } from "../../session/wire";
import { bandAt, keyOf, lengthOf, partAt, stacked } from "./stack";

const row = (kind: string, name: string, context: number | null, lengths: number[]) => ({
  kind,
  name,
  context,
  lengths,
});

const load: CpuLoad = {
  positions: [10, 20, 40],
  cores: 2,
  contexts: [
    row("thread", "a", 3, [10, 0]),
    row("isr", "ISR 7", null, [2, 4]),
    row("idle", "(idle)", null, [4, 36]),
    row("unknown", "(unknown)", null, [4, 0]),
  ],
};

describe("CPU load", () => {
  it("finds the part at a position", () => {
    expect([9, 10, 19.9, 20, 39, 40].map((at) => partAt(load, at))).toEqual([
      null,
      0,
      0,
      1,
      1,
      null,
    ]);
    expect(partAt({ ...load, positions: [] }, 5)).toBeNull();
  });

  it("stacks contexts, then unknown time; idle time is the rest", () => {
    expect(lengthOf(load, 0)).toBe(20);
    expect(stacked(load, null).map(({ name }) => name)).toEqual(["a", "ISR 7", "(unknown)"]);
    const name = (height: number) => bandAt(load, 0, height, null)?.of.name;
    expect([0, 0.49, 0.5, 0.59, 0.61, 0.79, 0.81].map(name)).toEqual([
      "a",
      "a",
      "ISR 7",
      "ISR 7",
      "(unknown)",
      "(unknown)",
      undefined,
    ]);
    expect(bandAt(load, 1, 0, null)?.of.name).toBe("ISR 7");
  });

  it("puts the selected context at the bottom", () => {
    const [, isr] = load.contexts;
    const selected = isr ? keyOf(isr) : null;
    expect(stacked(load, selected).map(({ name }) => name)).toEqual(["ISR 7", "a", "(unknown)"]);
    expect(bandAt(load, 0, 0.05, selected)?.of.name).toBe("ISR 7");
  });
});
