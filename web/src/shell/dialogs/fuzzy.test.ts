import { expect, it } from "vitest";
import { match, rank } from "./fuzzy";

const TITLES = [
  "Zoom in",
  "Zoom out",
  "Zoom to 100 % (whole trace)",
  "Table of events",
  "Open a file…",
  "Show the keys",
];
const find = (typed: string) => rank(TITLES, typed, (title) => title, 10).map(({ one }) => one);

it("keeps the order of all entries for an empty query, up to the limit", () => {
  expect(find("")).toEqual(TITLES);
  expect(rank(TITLES, "", (title) => title, 2)).toHaveLength(2);
});

it("finds words in any order, and letters with gaps", () => {
  expect(find("out zoom")).toEqual(["Zoom out"]);
  expect(find("zmi")[0]).toBe("Zoom in");
  expect(find("xyz")).toEqual([]);
});

it("prefers prefixes", () => {
  expect(find("open")[0]).toBe("Open a file…");
  expect(rank(["a keys", "keys"], "keys", (one) => one, 9).map(({ one }) => one)).toEqual([
    "keys",
    "a keys",
  ]);
});

it("reports the matched letters", () => {
  expect(match("Zoom in", "in")?.positions).toEqual([5, 6]);
  expect(match("Zoom in", "zi")?.positions).toEqual([0, 5]);
  expect(match("Zoom", "zoomy")).toBeNull();
});
