/** State of the SQL panel of a trace. */

import { batch } from "@preact/signals";
import type { SqlCannedQuery, SqlCatalogue, SqlError, SqlResult } from "../../session/sql";
import { askSql } from "../../session/sql-client";
import { messageOf } from "../../state/format";
import { perTrace } from "../../state/per-trace";
import { EMPTY_LANE, resultLane, type SqlQuery } from "../../state/result-lane";
import type { TraceState } from "../../state/trace";
import { laneOf } from "./lane-of-result";

/** What a run of a query showed. */
export type SqlOutcome = { result: SqlResult } | { error: SqlError } | { unavailable: string };

/** What queries can use, or why there are none. */
export type KnownCatalogue = { catalogue: SqlCatalogue } | { unavailable: string };

const EXAMPLE = `SELECT context, duration, duration_ns, percent
FROM cpu_time
ORDER BY duration DESC`;

/** The query in the editor. */
export const editedQuery = perTrace<SqlQuery>(() => ({ sql: EXAMPLE, named: null, set: {} }));
/** The query that ran last, which the address has. */
export const ranQuery = perTrace<SqlQuery | null>(() => null);
/** Its outcome. */
export const outcome = perTrace<SqlOutcome | null>(() => null);
/** The query that runs now. */
export const running = perTrace<AbortController | null>(() => null);
/** What queries can use; `null` until it is known. */
export const catalogueOf = perTrace<KnownCatalogue | null>(() => null);

/** Asks what queries can use, once it is needed. */
export async function loadCatalogue(trace: TraceState, signal: AbortSignal): Promise<void> {
  const known = catalogueOf(trace);
  if (known.peek() !== null && "catalogue" in (known.peek() ?? {})) return;
  try {
    const reply = await askSql(trace.id, { request: "catalogue" }, signal);
    if ("catalogue" in reply || "unavailable" in reply) known.value = reply;
  } catch (error) {
    if (!signal.aborted) known.value = { unavailable: messageOf(error) };
  }
}

/** Runs a query, instead of one that still runs. */
export async function runQuery(trace: TraceState, query: SqlQuery): Promise<void> {
  running(trace).peek()?.abort();
  const run = new AbortController();
  running(trace).value = run;
  let shown: SqlOutcome | null = null;
  try {
    const reply = await askSql(trace.id, { request: "query", ...query }, run.signal);
    if (!("catalogue" in reply)) shown = reply;
  } catch (error) {
    if (!run.signal.aborted) shown = { error: { message: messageOf(error), position: null } };
  }
  // Another one runs instead.
  if (running(trace).peek() !== run) return;
  batch(() => {
    running(trace).value = null;
    if (shown === null) return;
    ranQuery(trace).value = query;
    outcome(trace).value = shown;
    const lane = resultLane(trace);
    // The lane is that of the result.
    if (lane.peek() !== null) lane.value = "result" in shown ? laneOf(shown.result) : null;
  });
}

/** Cancels the query that runs. */
export function cancelQuery(trace: TraceState): void {
  running(trace).peek()?.abort();
  running(trace).value = null;
}

/** Name and default of a parameter. */
export function parameter(name: string): { name: string; initial: string } {
  const at = name.indexOf("=");
  return at < 0 ? { name, initial: "" } : { name: name.slice(0, at), initial: name.slice(at + 1) };
}

/** A canned query with the defaults of its parameters. */
export function cannedQuery({ name, sql, parameters }: SqlCannedQuery): SqlQuery {
  const set = parameters.map((one) => parameter(one.name));
  return {
    sql,
    named: set.length > 0 ? name : null,
    set: Object.fromEntries(set.map(({ name: of, initial }) => [of, initial])),
  };
}

/** Runs the query of an address, and shows its result as a lane if it was one. */
export async function restoreQuery(
  trace: TraceState,
  query: SqlQuery,
  isLane: boolean,
): Promise<void> {
  batch(() => {
    editedQuery(trace).value = query;
    // The address keeps both while the query runs.
    ranQuery(trace).value = query;
    resultLane(trace).value = isLane ? EMPTY_LANE : null;
  });
  await runQuery(trace, query);
}
