import { describe, expect, it } from "vitest";
import { type Column, isNumeric, nextSorting, sortRows } from "./column";
import { csv, tsv, tsvLines } from "./table-text";

interface Row {
  name: string;
  count: number | null;
}
const COLUMNS: readonly Column<Row>[] = [
  { title: "Name", value: (row) => row.name },
  { title: "Count", value: (row) => row.count },
];
const ROWS: readonly Row[] = [
  { name: "task 10", count: 3 },
  { name: "task 9", count: null },
  { name: "Task 1", count: 20 },
  { name: "idle", count: 3 },
];
const names = (column: number, descending: boolean) =>
  sortRows(ROWS, COLUMNS, { column, descending }).map(({ name }) => name);

describe("sorting", () => {
  it("compares numbers in names numerically", () => {
    expect(names(0, false)).toEqual(["idle", "Task 1", "task 9", "task 10"]);
    expect(names(0, true)).toEqual(["task 10", "task 9", "Task 1", "idle"]);
  });

  it("keeps the order of equal values and puts missing ones last", () => {
    expect(names(1, false)).toEqual(["task 10", "idle", "Task 1", "task 9"]);
    expect(names(1, true)).toEqual(["Task 1", "task 10", "idle", "task 9"]);
  });

  it("keeps the order without a sort column", () => {
    expect(sortRows(ROWS, COLUMNS, null)).toEqual(ROWS);
    expect(sortRows(ROWS, COLUMNS, { column: 9, descending: false })).toEqual(ROWS);
  });

  it("starts numbers with the largest, and resets at the third click", () => {
    const first = nextSorting(null, 1, true);
    const second = nextSorting(first, 1, true);
    expect([first, second, nextSorting(second, 1, true)]).toEqual([
      { column: 1, descending: true },
      { column: 1, descending: false },
      null,
    ]);
    expect(nextSorting(first, 0, false)).toEqual({ column: 0, descending: false });
  });

  it("detects numbers by the first value", () => {
    expect(
      isNumeric(COLUMNS[1] as Column<Row>, [
        { name: "", count: null },
        { name: "", count: 2 },
      ]),
    ).toBe(true);
    expect(isNumeric(COLUMNS[0] as Column<Row>, ROWS)).toBe(false);
  });
});

describe("comma-separated values", () => {
  it("quote where needed", () => {
    expect(
      csv(COLUMNS, [
        { name: 'a "b", c', count: 1 },
        { name: "two\nlines", count: null },
      ]),
    ).toBe('Name,Count\r\n"a ""b"", c",1\r\n"two\nlines",\r\n');
  });

  it("escape formulas", () => {
    expect(csv(COLUMNS, [{ name: "=cmd()", count: -5 }])).toBe("Name,Count\r\n'=cmd(),-5\r\n");
  });
});

it("tab-separated cells neither break the table nor become formulas", () => {
  expect(tsvLines([["a\tb", "c\r\nd", 5, null, -3, "=1+1", true]])).toBe(
    "a b\tc d\t5\t\t-3\t'=1+1\ttrue\n",
  );
  expect(tsv(COLUMNS, ROWS.slice(0, 2))).toBe("Name\tCount\ntask 10\t3\ntask 9\t\n");
});
