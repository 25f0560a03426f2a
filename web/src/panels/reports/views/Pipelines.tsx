/** Report on declared pipelines. */

import type { PipelineRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { ReportTable } from "./ReportTable";

export function Pipelines({ trace, rows }: { trace: TraceState; rows: readonly PipelineRow[] }) {
  return (
    <>
      <ReportTable trace={trace} path="pipeline" rows={rows} />
      {rows.map(({ name, stages, misses }) => (
        <section key={name}>
          <h3>{name}</h3>
          <ReportTable trace={trace} path="pipeline.*.stages" rows={stages} />
          {misses.length > 0 && (
            <ReportTable trace={trace} path="pipeline.*.misses" rows={misses} />
          )}
        </section>
      ))}
    </>
  );
}
