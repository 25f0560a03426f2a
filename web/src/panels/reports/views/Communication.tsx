/** Report on the communication of contexts. */

import type { Communication as CommunicationReport, FlowRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { reportColumns, tableOf } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

interface CommunicationProps {
  trace: TraceState;
  found: CommunicationReport;
}

export function Communication({ trace, found: { uses, flows } }: CommunicationProps) {
  const path = "communication.flows";
  const names = reportColumns<FlowRow, typeof path>(trace, path).slice(0, 4);
  return (
    <>
      <section>
        <h3>{tableOf("communication.uses").title}</h3>
        <ReportTable trace={trace} path="communication.uses" rows={uses} />
      </section>
      <section>
        <h3>{tableOf(path).title}</h3>
        <ReportTable trace={trace} path={path} rows={flows} />
        {flows.length > 0 && <Measures trace={trace} path={path} rows={flows} names={names} />}
      </section>
    </>
  );
}
