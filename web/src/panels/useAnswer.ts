/** Queries from components. */

import { useEffect, useState } from "preact/hooks";
import type { Answers, QueryOf } from "../session/client";
import { ServerUnreachable } from "../session/connection";
import type { Query } from "../session/wire";
import type { TraceState } from "../state/trace";

/** State of a query. */
export interface QueryState<T> {
  /** The answer; while a new one is pending, the previous one. */
  answer: T | null;
  error: string | null;
  isWaiting: boolean;
}

const NO_QUERY = { answer: null, error: null, isWaiting: false } as const;

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
  const [asked, setAsked] = useState<QueryState<Answers[A]>>(NO_QUERY);
  const key = query === null ? null : JSON.stringify(query);
  const news = isPatient ? null : trace.dataVersion.value;
  useEffect(() => {
    if (query === null) {
      setAsked(NO_QUERY);
      return undefined;
    }
    const stop = new AbortController();
    setAsked((before) => ({ ...before, isWaiting: true }));
    trace.client.query(query, stop.signal).then(
      (answer) => setAsked({ answer, error: null, isWaiting: false }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        // Without a server, the last answer stays, greyed out.
        const isKept = error instanceof ServerUnreachable;
        setAsked(({ answer }) => ({
          answer: isKept ? answer : null,
          error: message,
          isWaiting: false,
        }));
      },
    );
    return () => stop.abort();
  }, [trace, key, again, news]);
  return asked;
}
