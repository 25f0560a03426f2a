import { describe, expect, it } from "vitest";
import {
  clampFirst,
  contentHeight,
  type Extent,
  firstOf,
  HIGHEST,
  isScaled,
  lastFirst,
  reveal,
  scrolled,
  scrollOf,
} from "./scroll";

const MANY: Extent = { rows: 100_000_000, rowHeight: 21, viewHeight: 420 };
const FEW: Extent = { rows: 1000, rowHeight: 21, viewHeight: 420 };

describe("a hundred million rows", () => {
  it("fit into an element that a browser can lay out", () => {
    expect(contentHeight(MANY)).toBe(HIGHEST);
    expect(isScaled(MANY)).toBe(true);
    expect(isScaled(FEW)).toBe(false);
  });

  it("are all reached by the scroll bar", () => {
    expect(firstOf(0, MANY)).toBe(0);
    expect(firstOf(HIGHEST - MANY.viewHeight, MANY)).toBe(99_999_980);
    expect(firstOf(1e12, MANY)).toBe(99_999_980);
    const middle = firstOf((HIGHEST - MANY.viewHeight) / 2, MANY);
    expect(middle).toBeCloseTo(49_999_990, 3);
  });

  it("convert to scroll positions and back", () => {
    for (const row of [0, 1, 12_345_678, 99_999_979]) {
      expect(firstOf(scrollOf(row, MANY), MANY)).toBeCloseTo(row, 4);
    }
  });

  it("move row by row for small steps and far for long ones", () => {
    const at = scrollOf(5_000_000, MANY);
    expect(scrolled(5_000_000, at, at + 21, MANY)).toBe(5_000_001);
    expect(scrolled(5_000_000, at, at - 210, MANY)).toBe(4_999_990);
    expect(scrolled(5_000_000, at, at + 1000, MANY)).toBeCloseTo(firstOf(at + 1000, MANY), 6);
    expect(scrolled(3, 0, -400, MANY)).toBe(0);
  });
});

describe("few rows", () => {
  it("scroll pixel by pixel", () => {
    expect(contentHeight(FEW)).toBe(21_000);
    expect(firstOf(21, FEW)).toBeCloseTo(1, 9);
    expect(scrolled(0, 0, 63, FEW)).toBeCloseTo(3, 9);
    expect(lastFirst(FEW)).toBe(980);
  });

  it("do not scroll if they all fit", () => {
    const tiny = { ...FEW, rows: 5 };
    expect(lastFirst(tiny)).toBe(0);
    expect(firstOf(100, tiny)).toBe(0);
    expect(scrollOf(3, tiny)).toBe(0);
    expect(clampFirst(7, tiny)).toBe(0);
  });
});

describe("revealing a row", () => {
  it("moves as little as possible", () => {
    expect(reveal(110, 100, FEW)).toBe(100);
    expect(reveal(119, 100, FEW)).toBe(100);
    expect(reveal(120, 100, FEW)).toBe(101);
    expect(reveal(95, 100, FEW)).toBe(95);
  });

  it("centres a distant row", () => {
    expect(reveal(500, 100, FEW)).toBe(490);
    expect(reveal(999, 0, FEW)).toBe(980);
    expect(reveal(0, 900, FEW)).toBe(0);
  });
});
