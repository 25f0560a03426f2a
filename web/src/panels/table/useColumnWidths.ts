/** Lays out the columns of a table by what its cells need. */

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { columnWidths } from "./column-layout";

interface ColumnLayout {
  /** Width of each column in pixels; empty until the table is shown. */
  widths: readonly number[];
  /** Width at which no cell of a column is cut, in pixels. */
  fitting: (column: number) => number;
}

/** Widths of the columns if none is limited. */
function naturalWidths(table: HTMLTableElement): number[] {
  const isLaidOut = table.classList.contains("laid-out");
  table.classList.remove("laid-out");
  table.classList.add("measured");
  const cells = [...(table.tHead?.rows[0]?.cells ?? [])];
  const widths = cells.map((cell) => Math.ceil(cell.getBoundingClientRect().width));
  table.classList.remove("measured");
  table.classList.toggle("laid-out", isLaidOut);
  return widths;
}

/**
 * Widths of a table's columns: `chosen` are those that the user chose. The table is measured again
 * when an item of `contents` changes.
 */
export function useColumnWidths(
  table: RefObject<HTMLTableElement | null>,
  isNumber: readonly boolean[],
  chosen: readonly (number | undefined)[],
  contents: readonly unknown[],
): ColumnLayout {
  const [available, setAvailable] = useState(0);
  const [natural, setNatural] = useState<readonly number[]>([]);
  useLayoutEffect(() => {
    const around = table.current?.parentElement;
    if (!around) return undefined;
    const observer = new ResizeObserver(() => setAvailable(around.clientWidth));
    setAvailable(around.clientWidth);
    observer.observe(around);
    return () => observer.disconnect();
  }, []);
  const isShown = available > 0;
  useLayoutEffect(() => {
    if (table.current && isShown) setNatural(naturalWidths(table.current));
  }, [isShown, ...contents]);
  const widths =
    natural.length !== isNumber.length || !isShown
      ? []
      : columnWidths(
          natural.map((width, column) => ({
            natural: width,
            isNumber: isNumber[column] ?? false,
            chosen: chosen[column] ?? null,
          })),
          available,
        );
  return { widths, fitting: (column) => natural[column] ?? 0 };
}
