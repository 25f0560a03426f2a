import { describe, expect, it } from "vitest";
import { sortBookmarks } from "../panels/bookmarks/sort-bookmarks";
import type { Bookmark } from "../session/wire";
import { intervalOfPlace, isAtEvent, placeKey, placeText } from "./bookmarks";
import type { TraceState } from "./trace";

/** Event N is at N × 10 ticks; there are 100. */
const known = { get: (event: number) => (event < 100 ? { time: event * 10 } : null) };
const trace = { frequencyHz: { value: null } } as TraceState;

const EVENT: Bookmark = { event: 5, note: "b" };
const TIME: Bookmark = { event: 5, ticks_after: 3, note: "a" };
const RANGE: Bookmark = { event: 5, ticks_after: 3, end: { event: 8, ticks_after: 1 }, note: "c" };
const EVENTS: Bookmark = { event: 5, end: { event: 8 }, note: "" };

describe("places of bookmarks", () => {
  it("are on both axes", () => {
    const on = (axis: "time" | "index") =>
      [EVENT, TIME, RANGE, EVENTS].map((one) => {
        const interval = intervalOfPlace(one, axis, known);
        return interval && [interval.start, interval.end];
      });
    expect(on("time")).toEqual([
      [50, 50],
      [53, 53],
      [53, 81],
      [50, 80],
    ]);
    expect(on("index")).toEqual([
      [5.5, 5.5],
      [6, 6],
      [6, 9],
      [5, 9],
    ]);
  });

  it("of unknown events are unknown in time", () => {
    expect(intervalOfPlace({ event: 100 }, "time", known)).toBeNull();
    expect(intervalOfPlace({ event: 99, end: { event: 100 } }, "time", known)).toBeNull();
    expect(placeText(trace, { event: 100, ticks_after: 2 }, known)).toBe("at event 100");
  });

  it("are distinguished and named", () => {
    const all = [EVENT, TIME, RANGE, EVENTS];
    expect(new Set(all.map(placeKey)).size).toBe(4);
    expect(all.map(isAtEvent)).toEqual([true, false, false, false]);
    expect(all.map((one) => placeText(trace, one, known))).toEqual([
      "at event 5",
      "at 53 ticks",
      "from 53 ticks to 81 ticks",
      "from 50 ticks to 80 ticks",
    ]);
  });

  it("are sorted by note and by length", () => {
    const notes = (by: "place" | "note" | "length") =>
      sortBookmarks([EVENT, TIME, RANGE], by, known).map(({ note }) => note);
    expect(notes("place")).toEqual(["b", "a", "c"]);
    expect(notes("note")).toEqual(["a", "b", "c"]);
    expect(notes("length")).toEqual(["c", "b", "a"]);
  });
});
