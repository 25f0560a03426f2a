import { expect, it } from "vitest";
import { nearestPoint, scaleOf, topOf } from "./points";

it("rounds the top of the scale up", () => {
  expect([0, 1, 4.2, 12, 51, 99, 186_252].map(topOf)).toEqual([1, 1, 4.5, 15, 60, 100, 200_000]);
});

it("scales from zero, or from the smallest negative value", () => {
  expect(scaleOf([])).toEqual({ bottom: 0, top: 1 });
  expect(scaleOf([3, 12])).toEqual({ bottom: 0, top: 15 });
  expect(scaleOf([-12, 3])).toEqual({ bottom: -15, top: 3 });
  expect(scaleOf([-12, -3])).toEqual({ bottom: -15, top: 0 });
});

it("finds the nearest point within the distance", () => {
  const points = [
    { x: 10, value: 5, event: 1 },
    { x: 14, value: 5, event: 2 },
    { x: 10, value: 50, event: 3 },
  ];
  const y = (value: number) => 100 - value;
  expect(nearestPoint(points, { x: 11, y: 95 }, y, 5)?.event).toBe(1);
  expect(nearestPoint(points, { x: 10, y: 52 }, y, 5)?.event).toBe(3);
  expect(nearestPoint(points, { x: 60, y: 52 }, y, 5)).toBeNull();
});
