import { describe, expect, it } from "vitest";
import type { SqlCatalogue, SqlResult } from "../../session/sql";
import { itemNear, itemsIn } from "../../timeline/result/items";
import { Scale } from "../../timeline/transform";
import { complete, completions } from "./completion";
import { laneOf, placeOfRows } from "./lane-of-result";
import { rangeOf } from "./SqlEditor";

const named = (...names: string[]) => names.map((name) => ({ name, about: `about ${name}` }));

const catalogue: SqlCatalogue = {
  tables: [
    { name: "events", is_view: false, about: "", columns: named("event", "time") },
    { name: "slices", is_view: false, about: "", columns: named("start", "end", "context") },
    { name: "cpu_time", is_view: true, about: "", columns: named("context", "percent") },
  ],
  functions: named("format_time(ns)"),
  queries: [],
  keywords: ["SELECT", "EXPLAIN"],
};

function completed(sql: string, isAsked = false): string[] | undefined {
  const found = completions(sql, sql.length, catalogue, isAsked);
  return found?.items.map(({ text }) => text);
}

describe("completion", () => {
  it("offers the names that begin with a word first", () => {
    expect(completed("SEL")).toEqual(["SELECT"]);
    expect(completed("SELECT * FROM e")).toEqual([
      "events",
      "EXPLAIN",
      "slices",
      "cpu_time",
      "format_time(",
      "SELECT",
    ]);
  });

  it("offers columns of the tables in the query", () => {
    expect(completed("SELECT 1 FROM slices s WHERE s.")).toEqual(["start", '"end"', "context"]);
    expect(completed("SELECT 1 FROM events AS e JOIN slices s ON e.ti")).toEqual(["time"]);
    expect(completed("SELECT 1 FROM slices WHERE en")?.[0]).toBe('"end"');
    expect(completed("SELECT x.")).toBeUndefined();
  });

  it("offers nothing for a complete word or none, unless it is asked", () => {
    expect(completed("SELECT * FROM events")).toBeUndefined();
    expect(completed("SELECT * FROM ")).toBeUndefined();
    expect(completed("SELECT * FROM ", true)).toContain("slices");
  });

  it("replaces the word before the caret", () => {
    const sql = "SELECT ev FROM x";
    const found = completions(sql, 9, catalogue);
    expect(found?.start).toBe(7);
    expect(complete(sql, 9, 7, "events")).toEqual({ sql: "SELECT events FROM x", caret: 13 });
  });
});

const result = (columns: [string, boolean][], rows: SqlResult["rows"]): SqlResult => ({
  columns: columns.map(([name, is_number]) => ({ name, is_number })),
  rows,
  count: rows.length,
  milliseconds: 1,
  warning: null,
});

describe("the lane of a result", () => {
  const spans = result(
    [
      ["file", false],
      ["context", false],
      ["start", true],
      ["duration", true],
      ["first_event", true],
    ],
    [
      ["x", "late", 100, 5, 7],
      ["x", "long", 10, 200, 1],
      ["x", "open", 50, null, 3],
      ["x", "nowhere", null, 5, 9],
    ],
  );

  it("has the rows with a time in its order", () => {
    const lane = laneOf(spans);
    expect(lane?.labels).toEqual(["long", "open", "late"]);
    expect([...(lane?.starts ?? [])]).toEqual([10, 50, 100]);
    expect([...(lane?.ends ?? [])]).toEqual([210, 50, 105]);
    expect([...(lane?.events ?? [])]).toEqual([1, 3, 7]);
    expect(lane?.longest).toBe(200);
  });

  it("finds what is in view, and the shortest item at a pixel", () => {
    const lane = laneOf(spans);
    if (lane === null) throw new Error("no lane");
    expect(itemsIn(lane, "time", 150, 180)).toEqual([0, 3]);
    expect(itemsIn(lane, "time", 350, 400)).toEqual([3, 3]);
    const scale = new Scale(0, 200, 2000);
    const near = (at: number) => itemNear(lane, "time", scale, at * 10);
    expect([102, 80, 50.3, 9, 105.3].map(near)).toEqual([2, 0, 0, null, 0]);
    expect(itemNear(lane, "index", new Scale(0, 10, 1000), 351)).toBe(1);
  });

  it("needs times", () => {
    expect(laneOf(result([["event", true]], [[1]]))).toBeNull();
    expect(laneOf(result([["start", false]], [["1"]]))).toBeNull();
  });
});

describe("the place of a row", () => {
  it("is an event or a time", () => {
    const place = (columns: [string, boolean][], row: SqlResult["rows"][number]) =>
      placeOfRows(result(columns, [row]))?.(row);
    expect(place([["take_event", true]], [4])).toEqual({ event: 4, start: null, end: null });
    expect(
      place(
        [
          ["run_event", true],
          ["event", true],
          ["time", true],
        ],
        [1, 2, "9007199254740993"],
      ),
    ).toEqual({ event: 2, start: 9007199254740992, end: null });
    expect(place([["context", false]], ["a"])).toBeUndefined();
  });
});

describe("the position of an error", () => {
  it("counts characters", () => {
    const error = { message: "", position: { line: 2, start: 2, end: 4 } };
    expect(rangeOf("SELECT\n😀 ab c", error)).toEqual([10, 12]);
    expect(rangeOf("", { message: "", position: null })).toBeNull();
  });
});
