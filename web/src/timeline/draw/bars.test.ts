import { expect, it } from "vitest";
import { widestGap } from "./bars";

it("a text is where no icon covers the bar", () => {
  const bar = { x0: 100, x1: 200 };
  expect(widestGap(bar, [])).toEqual(bar);
  // The events at both ends of the bar, and one far away.
  expect(widestGap(bar, [20, 100, 200])).toEqual({ x0: 108, x1: 192 });
  expect(widestGap(bar, [110, 160])).toEqual({ x0: 118, x1: 152 });
  expect(widestGap({ x0: 100, x1: 110 }, [105])).toEqual({ x0: 100, x1: 100 });
});
