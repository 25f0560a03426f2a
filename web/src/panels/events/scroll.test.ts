import { describe, expect, it } from "vitest";
import {
  clampFirstRow,
  contentHeight,
  firstRowAfter,
  firstRowAt,
  isScaled,
  MAX_HEIGHT,
  maxFirstRow,
  reveal,
  type ScrollExtent,
  scrollPosition,
} from "./scroll";

const MANY: ScrollExtent = { rows: 100_000_000, rowHeight: 21, viewHeight: 420 };
const FEW: ScrollExtent = { rows: 1000, rowHeight: 21, viewHeight: 420 };

describe("a hundred million rows", () => {
  it("fit into an element that a browser can lay out", () => {
    expect(contentHeight(MANY)).toBe(MAX_HEIGHT);
    expect(isScaled(MANY)).toBe(true);
    expect(isScaled(FEW)).toBe(false);
  });

  it("are all reached by the scroll bar", () => {
    expect(firstRowAt(0, MANY)).toBe(0);
    expect(firstRowAt(MAX_HEIGHT - MANY.viewHeight, MANY)).toBe(99_999_980);
    expect(firstRowAt(1e12, MANY)).toBe(99_999_980);
    const middle = firstRowAt((MAX_HEIGHT - MANY.viewHeight) / 2, MANY);
    expect(middle).toBeCloseTo(49_999_990, 3);
  });

  it("convert to scroll positions and back", () => {
    for (const row of [0, 1, 12_345_678, 99_999_979]) {
      expect(firstRowAt(scrollPosition(row, MANY), MANY)).toBeCloseTo(row, 4);
    }
  });

  it("move row by row for small steps and far for long ones", () => {
    const at = scrollPosition(5_000_000, MANY);
    expect(firstRowAfter(5_000_000, at, at + 21, MANY)).toBe(5_000_001);
    expect(firstRowAfter(5_000_000, at, at - 210, MANY)).toBe(4_999_990);
    expect(firstRowAfter(5_000_000, at, at + 1000, MANY)).toBeCloseTo(
      firstRowAt(at + 1000, MANY),
      6,
    );
    expect(firstRowAfter(3, 0, -400, MANY)).toBe(0);
  });
});

describe("few rows", () => {
  it("scroll pixel by pixel", () => {
    expect(contentHeight(FEW)).toBe(21_000);
    expect(firstRowAt(21, FEW)).toBeCloseTo(1, 9);
    expect(firstRowAfter(0, 0, 63, FEW)).toBeCloseTo(3, 9);
    expect(maxFirstRow(FEW)).toBe(980);
  });

  it("do not scroll if they all fit", () => {
    const tiny = { ...FEW, rows: 5 };
    expect(maxFirstRow(tiny)).toBe(0);
    expect(firstRowAt(100, tiny)).toBe(0);
    expect(scrollPosition(3, tiny)).toBe(0);
    expect(clampFirstRow(7, tiny)).toBe(0);
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
