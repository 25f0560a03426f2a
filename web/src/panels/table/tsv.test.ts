import { expect, it } from "vitest";
import { tsv, tsvLines } from "./tsv";

it("cells neither break the table nor become formulas", () => {
  expect(tsvLines([["a\tb", "c\r\nd", 5, null, -3, "=1+1", true]])).toBe(
    "a b\tc d\t5\t\t-3\t'=1+1\ttrue\n",
  );
  const columns = [
    { title: "Name", value: ({ name }: { name: string }) => name },
    { title: "Length", value: ({ name }: { name: string }) => name.length },
  ];
  expect(tsv(columns, [{ name: "ui" }, { name: "alarm" }])).toBe("Name\tLength\nui\t2\nalarm\t5\n");
});
