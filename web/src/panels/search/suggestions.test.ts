import { expect, it } from "vitest";
import type { Overview } from "../../session/wire";
import { suggestions } from "./suggestions";

const names = {
  kinds: [{ name: "tx_mutex_get" }, { name: "ISR enter" }, { name: "mutex wait" }],
  contexts: [
    { kind: "interrupt", name: "(interrupt)" },
    { kind: "thread", name: "mutator" },
  ],
  objects: [
    { name: "spi (plain)", class: "mutex" },
    { name: "mutator", class: "thread" },
  ],
} as unknown as Overview;

const filters = (typed: string) => suggestions(typed, names).map(({ filter }) => filter);

it("completes the last word with names of the trace, beginnings first", () => {
  expect(filters("mut")).toEqual(['"mutex wait"', "mutator", "tx_mutex_get"]);
  expect(filters("context == int")).toEqual(["context == interrupt"]);
  expect(filters('not object == "spi')).toEqual(['not object == "spi (plain)"']);
  expect(filters("(tx_m")).toEqual(["(tx_mutex_get"]);
});

it("completes fields where one can stand", () => {
  expect(filters("conte")).toEqual(["context "]);
  expect(filters("kind == conte")).toEqual([]);
});

it("suggests nothing for a letter, or after a complete word", () => {
  expect(filters("m")).toEqual([]);
  expect(filters("mutex ")).toEqual([]);
  expect(filters("")).toEqual([]);
});
