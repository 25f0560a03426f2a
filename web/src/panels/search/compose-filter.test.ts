import { expect, it } from "vitest";
import { compose, EMPTY, quoteName } from "./compose-filter";

const info = (one: string): [string, string, string, string] => [one, "", "", ""];

it("is empty for an empty form", () => {
  expect(compose(EMPTY)).toBe("");
  expect(compose({ ...EMPTY, context: "  ", info: info(" ") })).toBe("");
});

it.each([
  ["16", "info1 == 16"],
  ["0x10", "info1 == 0x10"],
  ["1-5", "info1 in 1..=5"],
  ["1..5", "info1 in 1..=5"],
  ["0x10 - 0x20", "info1 in 0x10..=0x20"],
  ["> 3", "info1 > 3"],
  ["&0x4", "info1 & 0x4"],
  ["!=0", "info1 != 0"],
])("parses the value %s", (text, filter) => {
  expect(compose({ ...EMPTY, info: info(text) })).toBe(filter);
});

it("handles kind numbers, patterns, and contexts without names", () => {
  expect(compose({ ...EMPTY, kind: "68" })).toBe("number == 68");
  expect(compose({ ...EMPTY, context: "work*" })).toBe('context ~ "work*"');
  expect(compose({ ...EMPTY, context: "interrupt" })).toBe("context == interrupt");
});

it("quotes names so that none ends the string", () => {
  expect(quoteName('a "b"')).toBe('"a \\"b\\""');
  expect(quoteName("back\\slash")).toBe('"back\\\\slash"');
  expect(quoteName("shown \\x1b")).toBe('"shown \\x1b"');
  expect(quoteName("ends in \\\\")).toBe('"ends in \\\\"');
  expect(quoteName("two\nlines")).toBe('"two\\nlines"');
});
