import { expect, it } from "vitest";
import { plotTop, series, valueAt } from "./series";

const graph = { positions: [10, 20, 30], min: [1, null, 2], max: [3, null, 2], limit: 8 };

it("extends the last value to the end", () => {
  expect(series(graph, 50)).toEqual([
    [10, 20, 30, 50],
    [3, null, 2, 2],
    [1, null, 2, 2],
  ]);
  expect(series(graph, 30)[0]).toEqual([10, 20, 30]);
  expect(series({ positions: [], min: [], max: [], limit: null }, 5)).toEqual([[], [], []]);
});

it("finds the value at a position", () => {
  expect([5, 10, 19.9, 20, 25, 30, 1e9].map((at) => valueAt(graph, at))).toEqual([
    null,
    [1, 3],
    [1, 3],
    null,
    null,
    [2, 2],
    [2, 2],
  ]);
});

it("scales to the maximum, and to the limit unless that is far away", () => {
  expect(plotTop(graph, false)).toBeCloseTo(8.4);
  expect(plotTop({ ...graph, limit: 1000 }, false)).toBeCloseTo(3.15);
  expect(plotTop({ ...graph, max: [0, null, 0], limit: null }, false)).toBeCloseTo(1.05);
  expect(plotTop(graph, true)).toBe(100);
});
