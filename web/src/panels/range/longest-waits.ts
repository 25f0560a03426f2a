/** The longest waits of threads, from the report on latencies. */

import type { Latency, WaitRow } from "../../session/reports";

/** The waits of a thread for one object or reason. */
export interface ThreadWaits extends WaitRow {
  thread: string;
}

/** Waits of all threads, the longest first. */
export function longestWaits({ threads }: Latency): ThreadWaits[] {
  return threads
    .flatMap(({ name, waited }) => waited.map((row) => ({ ...row, thread: name })))
    .sort((one, other) => other.duration.max - one.duration.max);
}
