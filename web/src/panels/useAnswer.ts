/** Queries from components. */

import { useEffect, useState } from "preact/hooks";
import type { Answers, QueryOf } from "../session/client";
import { ServerUnreachable } from "../session/connection";
import type { Query } from "../session/wire";
import { messageOf } from "../state/format";
import type { TraceState } from "../state/trace";

/** State of a query. */
export interface QueryState<T> {
  /** The answer; while a new one is pending, the previous one. */
  answer: T | null;
  error: string | null;
  isWaiting: boolean;
}

/** What arrived last, and the query that it belongs to. */
interface Arrived<T> {
  answer: T | null;
  error: string | null;
  of: string | null;
}

const NOTHING = { answer: null, error: null, of: null } as const;

/**
 * Answer to a query, which is repeated when it changes or, unless `isPatient`, when the trace is
 * updated; no query is made if it is `null`.
 */
export function useAnswer<A extends Query["query"]>(
  trace: TraceState,
  query: QueryOf<A> | null,
  again: unknown = null,
  isPatient = false,
): QueryState<Answers[A]> {
  const [arrived, setArrived] = useState<Arrived<Answers[A]>>(NOTHING);
  const news = isPatient ? null : trace.dataVersion.value;
  const wanted = query === null ? null : JSON.stringify([trace.id, query, again, news]);
  useEffect(() => {
    if (query === null) {
      setArrived(NOTHING);
      return undefined;
    }
    const stop = new AbortController();
    trace.client.query(query, stop.signal).then(
      (answer) => setArrived({ answer, error: null, of: wanted }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const message = messageOf(error);
        // Without a server, the last answer stays, greyed out.
        const isKept = error instanceof ServerUnreachable;
        setArrived(({ answer }) => ({
          answer: isKept ? answer : null,
          error: message,
          of: wanted,
        }));
      },
    );
    return () => stop.abort();
  }, [trace, wanted]);
  const { answer, error, of } = arrived;
  // From the change of the query on: effects run later.
  return { answer, error, isWaiting: of !== wanted };
}
