/** A report: its findings, its chart and its tables. */

import type { ReportTables } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { Findings } from "./Findings";
import { Load } from "./Load";
import { ReportTable, titleOf } from "./ReportTable";

interface ReportViewProps {
  trace: TraceState;
  kind: string;
  report: ReportTables;
}

export function ReportView({ trace, kind, report }: ReportViewProps) {
  if (kind === "findings") return <Findings trace={trace} findings={report.findings} />;
  return (
    <>
      {report.load && <Load trace={trace} load={report.load} />}
      {report.tables.map((table, at) => (
        <section key={`${kind} ${table.path} ${table.of ?? ""} ${at}`}>
          {at > 0 && <h3>{titleOf(table)}</h3>}
          <ReportTable trace={trace} table={table} />
        </section>
      ))}
    </>
  );
}
