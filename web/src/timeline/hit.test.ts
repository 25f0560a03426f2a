import { describe, expect, it } from "vitest";
import type { ListedBars, ListedEvents } from "../session/lanes";
import { barAt, eventNear } from "./hit";

const events: ListedEvents = {
  listed: true,
  x: new Float32Array([10, 20, 20, 40]),
  event: new Uint32Array([1, 2, 3, 4]),
  kind: new Uint32Array(4),
};
const bars: ListedBars = {
  listed: true,
  start: new Float32Array([0, 10, 12]),
  end: new Float32Array([30, 20, 14]),
  event: new Uint32Array([1, 2, 3]),
  subject: new Uint32Array(3),
  class: new Uint8Array(3),
  labels: new Map(),
};
const plain = { stretch: 1, offset: 0 };

describe("events", () => {
  it("are hit when near, the nearest first", () => {
    expect(eventNear(events, plain, 13)?.event).toBe(1);
    expect(eventNear(events, plain, 16)?.event).toBe(2);
    expect(eventNear(events, plain, 39)?.event).toBe(4);
    expect(eventNear(events, plain, 30)).toBeNull();
    expect(eventNear(events, plain, 30, 10)).not.toBeNull();
  });

  it("are hit where they are drawn", () => {
    const moved = { stretch: 2, offset: -100 };
    expect(eventNear(events, moved, -20)).toEqual({ event: 4, left: -20, right: -20 });
    expect(eventNear(events, moved, 10)).toBeNull();
  });

  it("may be empty", () => {
    const none = { ...events, x: new Float32Array(0), event: new Uint32Array(0) };
    expect(eventNear(none, plain, 5)).toBeNull();
  });
});

describe("bars", () => {
  it("are hit from their start to before their end, the innermost first", () => {
    expect(barAt(bars, plain, 5)?.event).toBe(1);
    expect(barAt(bars, plain, 11)?.event).toBe(2);
    expect(barAt(bars, plain, 13)?.event).toBe(3);
    expect(barAt(bars, plain, 15)?.event).toBe(2);
    expect(barAt(bars, plain, 25)?.event).toBe(1);
    expect(barAt(bars, plain, 10)?.event).toBe(2);
    expect(barAt(bars, plain, 30)).toBeNull();
    expect(barAt(bars, plain, -1)).toBeNull();
  });
});
