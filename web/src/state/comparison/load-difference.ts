/** The CPU load of two recordings, and its difference, over the visible interval. */

import type { Graph } from "../../session/wire";

/** Load in percent by column; `null` if unknown. */
export type LoadColumns = readonly (number | null)[];

/** The load of each of `columns` equal parts of a window. */
export function columnsOf(graph: Graph, start: number, end: number, columns: number): LoadColumns {
  const { positions, max } = graph;
  const width = (end - start) / columns;
  let point = -1;
  return Array.from({ length: columns }, (_, column) => {
    const middle = start + (column + 0.5) * width;
    while ((positions[point + 1] ?? Infinity) <= middle) point += 1;
    return max[point] ?? null;
  });
}

/** After minus before; `null` where one is unknown. */
export function differenceOf(before: LoadColumns, after: LoadColumns): LoadColumns {
  return before.map((load, column) => {
    const other = after[column] ?? null;
    return load === null || other === null ? null : other - load;
  });
}

/** The mean of the known columns; `null` if there are none. */
export function meanOf(columns: LoadColumns): number | null {
  const known = columns.filter((load) => load !== null);
  return known.length === 0 ? null : known.reduce((sum, load) => sum + load, 0) / known.length;
}

/** An area between a baseline and steps as an SVG path; `y` places a value. */
export function areaPath(columns: LoadColumns, base: number, y: (value: number) => number): string {
  return columns
    .map((load, column) =>
      load === null || load === 0 ? "" : `M${column} ${base}V${y(load).toFixed(1)}h1V${base}z`,
    )
    .join("");
}

/** Steps as an SVG path, with holes where the load is unknown. */
export function linePath(columns: LoadColumns, y: (value: number) => number): string {
  let isDrawing = false;
  return columns
    .map((load, column) => {
      if (load === null) {
        isDrawing = false;
        return "";
      }
      const to = `${isDrawing ? "L" : "M"}${column} ${y(load).toFixed(1)}h1`;
      isDrawing = true;
      return to;
    })
    .join("");
}
