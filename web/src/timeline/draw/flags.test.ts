import { describe, expect, it } from "vitest";
import { placeFlags } from "./flags";

const place = (room: number, ...flags: [x: number, width: number][]) =>
  placeFlags(
    flags.map(([x, width]) => ({ x, width })),
    room,
  );

describe("flags", () => {
  it("are around their positions, within the picture", () => {
    expect(place(200, [100, 20])).toEqual([90]);
    expect(place(200, [3, 20], [199, 20])).toEqual([0, 180]);
  });

  it("move to the nearer side of those before them", () => {
    expect(place(200, [100, 20], [101, 20])).toEqual([90, 112]);
    expect(place(200, [100, 20], [95, 20])).toEqual([90, 68]);
    expect(place(200, [100, 20], [100, 20], [100, 20])).toEqual([90, 68, 112]);
  });

  it("never overlap, and are omitted only without room", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let round = 0; round < 200; round += 1) {
      const flags = Array.from({ length: 6 }, () => ({ x: random(400), width: 10 + random(120) }));
      const lefts = placeFlags(flags, 400);
      const extents = flags.flatMap(({ width }, at) => {
        const left = lefts[at] ?? null;
        return left === null ? [] : [[left, left + width] as const];
      });
      extents.sort(([one], [other]) => one - other);
      for (const [at, [left, right]] of extents.entries()) {
        expect(left).toBeGreaterThanOrEqual(extents[at - 1]?.[1] ?? 0);
        expect(right).toBeLessThanOrEqual(400);
      }
      expect(lefts[0]).not.toBeNull();
    }
    expect(place(50, [10, 60])).toEqual([null]);
    expect(place(50, [10, 40], [10, 40])).toEqual([0, null]);
  });
});
