import { expect, it } from "vitest";
import { areaPath, columnsOf, differenceOf, linePath, meanOf } from "./load-difference";

const graph = (positions: number[], max: (number | null)[]) => ({
  positions,
  min: max,
  max,
  limit: 100,
});

it("has the load of each column, and the difference where both are known", () => {
  const before = columnsOf(graph([0, 20], [50, null]), -10, 30, 4);
  const after = columnsOf(graph([5], [80]), -10, 30, 4);
  expect(before).toEqual([null, 50, 50, null]);
  expect(after).toEqual([null, 80, 80, 80]);
  expect(differenceOf(before, after)).toEqual([null, 30, 30, null]);
  expect(meanOf(after)).toBe(80);
  expect(meanOf([null])).toBeNull();
});

it("draws holes where the load is unknown", () => {
  expect(linePath([10, null, 20], (load) => load)).toBe("M0 10.0h1M2 20.0h1");
  expect(areaPath([10, null, 0], 40, (load) => 40 - load)).toBe("M0 40V30.0h1V40z");
});
