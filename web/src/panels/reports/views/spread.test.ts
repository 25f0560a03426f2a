import { expect, it } from "vitest";
import { bands, position } from "./spread";

const of = { count: 100, min: 0, mean: 5, p50: 10, p90: 20, p99: 30, max: 100, event: 1 };

it("has a band between each two percentiles, by how close its durations lie", () => {
  const [first, second, third, last] = bands(of);
  expect([first?.from, first?.to, last?.to]).toEqual([0, 10, 100]);
  expect(first?.density).toBeCloseTo(5);
  expect(second?.density).toBeCloseTo(4);
  expect(third?.density).toBeCloseTo(0.9);
  expect(last?.density).toBeLessThan(0.1);
});

it("puts equal percentiles together", () => {
  const same = { ...of, min: 7, p50: 7, p90: 7, p99: 7, max: 7 };
  expect(bands(same)).toEqual([{ from: 7, to: 7, density: 100 }]);
  expect(position(7, same)).toBe(0);
});

it("shows long tails on a logarithmic scale", () => {
  const tail = { ...of, max: 1_000_000 };
  expect(position(20, tail)).toBeGreaterThan(0.2);
  expect(position(1_000_000, tail)).toBeCloseTo(1);
});
