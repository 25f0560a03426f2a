/** Report on declared deadlines. */

import type { DeadlineRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { ReportTable } from "./ReportTable";

export function Deadlines({ trace, rows }: { trace: TraceState; rows: readonly DeadlineRow[] }) {
  return (
    <>
      <ReportTable trace={trace} path="deadlines" rows={rows} />
      {rows
        .filter(({ misses }) => misses.length > 0)
        .map(({ name, misses }) => (
          <section key={name}>
            <h3>{name}</h3>
            <ReportTable trace={trace} path="deadlines.*.misses" rows={misses} />
          </section>
        ))}
    </>
  );
}
