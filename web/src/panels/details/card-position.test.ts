import { describe, expect, it } from "vitest";
import { type Box, freePosition, keepVisible, leaderStart } from "./card-position";

const CARD = { width: 300, height: 220 };
const AREA: Box = { x: 200, y: 100, width: 1000, height: 500 };
const covers = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

describe("a card", () => {
  const anchor = { x: 700, y: 320, top: 300, height: 40 };

  it("is beside its event, within the area, and off the event's lane", () => {
    const at = freePosition(CARD, anchor, [], AREA);
    const card = { ...at, ...CARD };
    expect(covers(card, { x: 0, y: 300, width: 2000, height: 40 })).toBe(false);
    expect(Math.abs(at.x + 150 - anchor.x)).toBeLessThan(160);
    expect(at.y + CARD.height).toBeLessThanOrEqual(600);
  });

  it("covers no other card while there is room", () => {
    const placed: Box[] = [];
    for (let number = 0; number < 4; number += 1) {
      const card = { ...freePosition(CARD, anchor, placed, AREA), ...CARD };
      for (const other of placed) expect(covers(card, other)).toBe(false);
      placed.push(card);
    }
  });

  it("starts at the corner of an area that is too small", () => {
    const small = { x: 10, y: 20, width: 200, height: 100 };
    expect(freePosition(CARD, anchor, [], small)).toEqual({ x: 10, y: 20 });
    expect(freePosition(CARD, null, [], AREA)).toEqual({ x: 208, y: 108 });
  });

  it("stays fully visible", () => {
    expect(keepVisible({ x: -5, y: 900 }, CARD, AREA)).toEqual({ x: 0, y: 280 });
    expect(keepVisible({ x: 50, y: 60 }, CARD, { width: 100, height: 100 })).toEqual({
      x: 0,
      y: 0,
    });
  });

  it("has a leader line from its nearest edge", () => {
    const card = { x: 100, y: 100, ...CARD };
    expect(leaderStart(card, { x: 200, y: 500 })).toEqual({ x: 200, y: 320 });
    expect(leaderStart(card, { x: 50, y: 50 })).toEqual({ x: 100, y: 100 });
  });
});
