import { describe, expect, it } from "vitest";
import { type EventMarks, hasRoom, placeEvents } from "./icons";

function place(x: readonly number[], ratio = 1, icons = true) {
  const found: { icons: [number, number, number][]; ticks: [number, number][] } = {
    icons: [],
    ticks: [],
  };
  const marks: EventMarks = {
    icon: (...icon) => found.icons.push(icon),
    tick: (...tick) => found.ticks.push(tick),
  };
  placeEvents(x, { stretch: 1, offset: 0 }, { width: 1000, ratio, icons }, marks);
  return found;
}

describe("events", () => {
  it("are icons at their exact place where there is room", () => {
    expect(place([100.25, 200, 212])).toEqual({
      icons: [
        [0, 100.25, 16],
        [1, 200, 12],
        [2, 212, 12],
      ],
      ticks: [],
    });
  });

  it("are ticks at their exact place otherwise", () => {
    const found = place([100, 104, 300]);
    expect(found.icons).toEqual([[2, 300, 16]]);
    expect(found.ticks).toEqual([
      [100, 1],
      [104, 1],
    ]);
  });

  it("share a tick with its count within a device pixel", () => {
    const x = [10.1, 10.2, 10.6, 10.7, 11.1];
    expect(place(x).ticks).toEqual([
      [10, 4],
      [11, 1],
    ]);
    expect(place(x, 2).ticks).toEqual([
      [10, 2],
      [10.5, 2],
      [11, 1],
    ]);
  });

  it("are never omitted", () => {
    for (const ratio of [1, 1.5, 2]) {
      for (const icons of [true, false]) {
        const x = Array.from({ length: 500 }, (_, at) => (at * at) / 250);
        const found = place(x, ratio, icons);
        const inTicks = found.ticks.reduce((sum, [, count]) => sum + count, 0);
        expect(found.icons.length + inTicks).toBe(x.length);
        for (const [index, middle] of found.icons) expect(middle).toBe(x[index]);
        if (!icons) expect(found.icons).toEqual([]);
      }
    }
  });

  it("are icons only if at least half of them have room", () => {
    const still = { stretch: 1, offset: 0 };
    expect(hasRoom([], still, 1000)).toBe(true);
    expect(hasRoom([100, 104, 300], still, 1000)).toBe(false);
    expect(hasRoom([100, 104, 300, 400], still, 1000)).toBe(true);
    // Those outside do not count.
    expect(hasRoom([100, 104, 300], still, 50)).toBe(true);
    expect(hasRoom([100, 104, 300], { stretch: 4, offset: 0 }, 2000)).toBe(true);
  });

  it("have room: icons do not overlap each other or ticks", () => {
    const found = place([0, 12, 24, 30, 45, 100]);
    const ranges = found.icons.map(([, middle, width]) => [middle - width / 2, middle + width / 2]);
    for (const [at, [left = 0]] of ranges.entries()) {
      const before = ranges[at - 1]?.[1] ?? -Infinity;
      expect(left).toBeGreaterThanOrEqual(before);
    }
    for (const [x] of found.ticks) {
      expect(ranges.some(([left = 0, right = 0]) => left < x && x < right)).toBe(false);
    }
  });
});
