import { describe, expect, it } from "vitest";
import type { MessageBars, Overview } from "../../session/wire";
import { barAt, messageText, visibleBars } from "./message-bars";

const BARS: MessageBars = {
  total: 3,
  starts: [0, 10, 30],
  ends: [20, 25, 50],
  ticks: [20, 15, 20],
  rows: [0, 1, 0],
  puts: [1, 2, 5],
  end_events: [3, 4, 9],
  putters: [3, null, 3],
  takers: [4, 4, null],
  endings: ["taken", "taken", "flushed"],
};

describe("messages", () => {
  it("are those of the window, in pixels", () => {
    const bars = visibleBars(BARS, { start: 15, end: 35 }, 200);
    expect(bars.map(({ left, right, put }) => [left, right, put])).toEqual([
      [-2, 50, 1],
      [-2, 100, 2],
      [150, 202, 5],
    ]);
    expect(visibleBars(BARS, { start: 26, end: 29 }, 200)).toEqual([]);
  });

  it("are hit in their row", () => {
    const bars = visibleBars(BARS, { start: 0, end: 50 }, 50);
    expect(barAt(bars, 12, 0)?.put).toBe(1);
    expect(barAt(bars, 12, 1)?.put).toBe(2);
    expect(barAt(bars, 31, 0)?.put).toBe(5);
    expect(barAt(bars, 40, 1)).toBeNull();
  });

  it("say who puts and who takes them", () => {
    const name = ["", "", "", "a", "b"].map((name) => ({ name }));
    const overview = { contexts: name } as Overview;
    const [taken, , flushed] = visibleBars(BARS, { start: 0, end: 50 }, 50);
    if (!taken || !flushed) throw new Error("no messages");
    expect(messageText(overview, taken, null)).toBe(
      "20 ticks: put by a at event 1, taken by b at event 3",
    );
    expect(messageText(overview, flushed, null)).toBe("20 ticks: put by a at event 5, flushed");
  });
});
