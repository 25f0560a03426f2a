import { expect, it } from "vitest";
import { isJump } from "./jumps";

const at = (from: number, to: number) => ({ trace: 0, name: "a", axis: "time" as const, from, to });

it("distinguishes jumps from small moves", () => {
  expect(isJump(at(0, 100), at(20, 120))).toBe(false);
  expect(isJump(at(0, 100), at(60, 160))).toBe(true);
  expect(isJump(at(0, 100), at(500, 600))).toBe(true);
  expect(isJump(at(0, 100), at(0, 250))).toBe(false);
  expect(isJump(at(0, 100), at(40, 50))).toBe(true);
});

it("takes another trace or axis for a jump, and panels and following for none", () => {
  expect(isJump(at(0, 100), { ...at(0, 100), trace: 1, name: "b" })).toBe(true);
  expect(isJump(at(0, 100), { ...at(0, 100), axis: "index" })).toBe(true);
  expect(isJump(at(0, 100), { ...at(0, 100), side: "reports", event: 7 })).toBe(false);
  const { from, to, ...following } = at(0, 100);
  expect(isJump(following, at(from, to))).toBe(false);
});
