import { describe, expect, it } from "vitest";
import { type ColumnSize, columnWidths } from "./column-layout";

const text = (natural: number, chosen: number | null = null): ColumnSize => ({
  natural,
  isNumber: false,
  chosen,
});
const figure = (natural: number, chosen: number | null = null): ColumnSize => ({
  natural,
  isNumber: true,
  chosen,
});

describe("widths of columns", () => {
  it("give what is left to all columns", () => {
    expect(columnWidths([text(100), figure(50)], 300)).toEqual([200, 100]);
  });

  it("take from the widest text first, never from numbers", () => {
    expect(columnWidths([text(300), text(100), figure(80)], 400)).toEqual([220, 100, 80]);
    expect(columnWidths([text(300), text(200), figure(80)], 400)).toEqual([160, 160, 80]);
  });

  it("exceed a table in which names would be unreadable, and its edge cuts no column", () => {
    const widths = columnWidths([text(300), text(50), figure(80), figure(90)], 297);
    expect(widths).toEqual([154, 55, 88, 90]);
  });

  it("are those that the user chose", () => {
    expect(columnWidths([text(300, 120), figure(80, 40), text(90)], 400)).toEqual([120, 40, 240]);
    expect(columnWidths([text(300, 500), figure(80)], 400)).toEqual([500, 80]);
    expect(columnWidths([text(300, 100)], 400)).toEqual([100]);
  });

  it("limit long texts unless the user wants all of them", () => {
    expect(columnWidths([text(5000), figure(40)], 400)).toEqual([360, 40]);
    expect(columnWidths([text(5000), figure(40)], 200)).toEqual([160, 40]);
    expect(columnWidths([], 200)).toEqual([]);
  });
});
