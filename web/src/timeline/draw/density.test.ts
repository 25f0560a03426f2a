import { describe, expect, it } from "vitest";
import { doublingsOf, type LaneContents } from "../../session/lanes";
import { densityScale, heatOf } from "./density";

const code = (count: number) => 1 + Math.round(7.9 * Math.log2(count));

function lane(...counts: number[]): LaneContents {
  const density = Uint8Array.from(counts, (count) => (count === 0 ? 0 : code(count)));
  const none = new Uint8Array(counts.length);
  return {
    lane: 0,
    bars: { listed: false, class: none, busy: none, isr: null },
    events: { listed: false, density },
    hits: null,
  };
}

describe("densities", () => {
  it("count doublings", () => {
    expect(doublingsOf(1)).toBe(0);
    expect(doublingsOf(80)).toBeCloseTo(10, 0);
    expect(doublingsOf(254)).toBeCloseTo(32, 0);
  });

  it("have one scale for all lanes, from the lowest to the highest", () => {
    expect(densityScale([lane(0, 5, 7), lane(900, 0), lane(0, 0)])).toEqual({ low: 2, high: 10 });
    // The emptiest pixels do not spread it.
    const many = Array.from({ length: 100 }, () => 600);
    expect(densityScale([lane(1, 2, ...many), lane(700)])).toEqual({ low: 9, high: 10 });
    expect(densityScale([lane(4, 4)])).toEqual({ low: 2, high: 3 });
    expect(densityScale([lane(0)])).toBeNull();
    expect(densityScale([])).toBeNull();
  });

  it("are apart on the scale, up to the largest count", () => {
    const counts = [1, 10, 100, 255, 256, 5_000, 1_000_000, 4_000_000_000];
    const scale = densityScale([lane(...counts)]) ?? { low: 0, high: 1 };
    const heats = counts.map((count) => heatOf(code(count), scale));
    for (const [at, heat] of heats.entries()) {
      expect(heat).toBeGreaterThanOrEqual(heats[at - 1] ?? 0);
      expect(heat).toBeLessThanOrEqual(1);
    }
    expect(new Set(heats).size).toBe(counts.length - 1);
  });
});
