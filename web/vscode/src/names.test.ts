import { expect, test } from "vitest";
import { commonEnd, namesIn, partsOf, split } from "./names";

test("a project's file names files below its folder", () => {
  const text = `symbols = ["build/a.elf", 'log\\b.elf'] # "c.elf"
clock = "25MHz"
text-log = ["../d.log", "/e.log", "C:\\\\f.log", ""]`;
  expect(namesIn(text)).toEqual(["build/a.elf", "log\\b.elf", "c.elf", "25MHz"]);
});

test("paths of all systems have parts", () => {
  expect(partsOf("/build/../src/./main.c")).toEqual(["src", "main.c"]);
  expect(partsOf("C:\\work\\src\\main.c")).toEqual(["C:", "work", "src", "main.c"]);
  expect(partsOf("../..")).toEqual([]);
  expect(commonEnd(["a", "src", "main.c"], ["b", "src", "main.c"])).toBe(2);
  expect(commonEnd(["main.c"], ["main.c"])).toBe(1);
});

test("arguments are split at spaces that are not quoted", () => {
  expect(split(`rtt://host:1 --save "my run" --until 'a b'=c`)).toEqual([
    "rtt://host:1",
    "--save",
    "my run",
    "--until",
    "a b=c",
  ]);
  expect(split(" ")).toEqual([]);
});
