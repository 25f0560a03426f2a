/** The result of a query as a lane of the timeline. */

import type { SqlResult } from "../session/sql";
import { perTrace } from "./per-trace";

/** A query: the statement and, if it has the parameters of a canned query, their values. */
export interface SqlQuery {
  sql: string;
  named: string | null;
  set: Record<string, string>;
}

/** Intervals or instants in the order of their starts. */
export interface ResultLane {
  /** Start and end in ticks since the start of the recording; those of an instant are equal. */
  starts: Float64Array;
  ends: Float64Array;
  /** Event of each; `null` if the result has none. */
  events: Float64Array | null;
  labels: string[];
  /** Columns of the result, and its rows in the order of the lane. */
  columns: readonly string[];
  rows: SqlResult["rows"];
  /** The longest interval, to find those that begin before a view. */
  longest: number;
}

/** The lane of a query that still runs. */
export const EMPTY_LANE: ResultLane = {
  starts: new Float64Array(),
  ends: new Float64Array(),
  events: null,
  labels: [],
  columns: [],
  rows: [],
  longest: 0,
};

/** The lane of a trace, if there is one. */
export const resultLane = perTrace<ResultLane | null>(() => null);
