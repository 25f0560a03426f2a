import { expect, it } from "vitest";
import { gripAt } from "../overview/strip-dragging";
import { zoomFactor } from "./wheel";

it("a wheel turned back undoes the zoom", () => {
  expect(zoomFactor(100, false) * zoomFactor(-100, false)).toBeCloseTo(1, 12);
  expect(zoomFactor(100, false)).toBeGreaterThan(1.1);
  expect(zoomFactor(1e6, false)).toBeLessThan(2.1);
  expect(zoomFactor(10, true)).toBeGreaterThan(zoomFactor(10, false));
});

it("the overview's box is hit at its edges, inside, or not at all", () => {
  expect(gripAt(100, 100, 200)).toBe("left");
  expect(gripAt(96, 100, 200)).toBe("left");
  expect(gripAt(203, 100, 200)).toBe("right");
  expect(gripAt(150, 100, 200)).toBe("box");
  expect(gripAt(50, 100, 200)).toBe("beside");
  // A narrow box can still be moved.
  expect(gripAt(103, 100, 106)).toBe("box");
});
