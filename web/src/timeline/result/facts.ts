/** Tooltip of the result of a query: the columns of a row. */

import { countText } from "../../state/format";
import { resultLane } from "../../state/result-lane";
import type { TraceState } from "../../state/trace";
import type { Facts } from "../tooltip/facts";
import { RESULT_TITLE } from "./items";

const MAX_COLUMNS = 12;

export function resultFacts(trace: TraceState, item: number): Facts | null {
  const lane = resultLane(trace).peek();
  const row = lane?.rows[item];
  if (!lane || row === undefined) return null;
  return {
    title: lane.labels[item] || RESULT_TITLE,
    rows: lane.columns.slice(0, MAX_COLUMNS).map((name, column) => {
      const value = row[column] ?? null;
      const isInteger = typeof value === "number" && Number.isInteger(value);
      return [name, value === null ? "–" : isInteger ? countText(value) : String(value)];
    }),
  };
}
