/** Report on declared intervals. */

import type { IntervalRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { ReportTable } from "./ReportTable";

export function Intervals({ trace, rows }: { trace: TraceState; rows: readonly IntervalRow[] }) {
  return (
    <>
      <ReportTable trace={trace} path="intervals" rows={rows} />
      {rows.map(({ name, longest }) => (
        <section key={name}>
          <h3>{name}</h3>
          <ReportTable trace={trace} path="intervals.*.longest" rows={longest} />
        </section>
      ))}
    </>
  );
}
