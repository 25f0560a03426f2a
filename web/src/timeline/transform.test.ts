import { describe, expect, it } from "vitest";
import { lowerBound, Scale, transformOf } from "./transform";

describe("the pixels of an answer", () => {
  const answer = { start: 0, end: 2000, width: 1000 };

  it("move with the window by whole pixels at the same zoom", () => {
    const { stretch, offset } = transformOf(answer, new Scale(101, 101 + 1000, 500));
    expect(stretch).toBe(1);
    expect(offset).toBe(-50);
    // Half pixels are whole on a screen with a ratio of two.
    expect(transformOf(answer, new Scale(101, 1101, 500), 2).offset).toBe(-50.5);
  });

  it("are stretched at another zoom", () => {
    const scale = new Scale(500, 1000, 500);
    const { stretch, offset } = transformOf(answer, scale);
    expect(stretch).toBe(2);
    // Pixel 250 of the answer is position 500, where the window starts.
    expect(250 * stretch + offset).toBe(scale.x(500));
  });
});

it("the lower bound is the first value that is not less", () => {
  expect(lowerBound([], 1)).toBe(0);
  expect(lowerBound([1, 2, 2, 3], 2)).toBe(1);
  expect(lowerBound([1, 2, 2, 3], 2.5)).toBe(3);
  expect(lowerBound([1, 2, 2, 3], 9)).toBe(4);
});
