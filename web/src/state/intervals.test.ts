import { expect, it } from "vitest";
import type { Overview } from "../session/wire";
import {
  declaredIntervals,
  decodeIntervals,
  encodeIntervals,
  namedIntervals,
  withIntervals,
} from "./intervals";

const filters = { from: "a", to: 'b == "c"', by: "thread", repeated: "nested" };
const overview = {
  intervals: [
    {
      name: "request",
      filters: { from: "x", to: "y", by: "", repeated: "restart" },
      deadline: 5,
    },
  ],
} as unknown as Overview;

it("names intervals as the command line does", () => {
  expect(namedIntervals(filters).name).toBe('a -> b == "c" [by thread] [nested]');
});

it("keeps intervals in the address, and the declared ones out of it", () => {
  const declared = declaredIntervals(overview);
  expect(encodeIntervals(declared, overview)).toBe("");
  const shown = withIntervals(declared, namedIntervals(filters));
  expect(decodeIntervals(encodeIntervals(shown, overview), overview)).toEqual(shown);
  expect(decodeIntervals(encodeIntervals([], overview), overview)).toEqual([]);
  expect(withIntervals(shown, namedIntervals(filters))).toEqual(shown);
});

it("ignores what an address misspells", () => {
  for (const text of ["", "{", "1"]) {
    expect(decodeIntervals(text, overview)).toEqual(declaredIntervals(overview));
  }
  expect(decodeIntervals('[["a"],[1,2,3,4],["a","b","","first"]]', overview)).toHaveLength(1);
});
