/** Report on declared hardware and slots. */

import type { HardwareReport, HardwareRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { reportColumns, tableOf } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

export function Hardware({ trace, found }: { trace: TraceState; found: HardwareReport }) {
  const names = reportColumns<HardwareRow, "hardware.units">(trace, "hardware.units").slice(0, 1);
  return (
    <>
      <ReportTable trace={trace} path="hardware.units" rows={found.units} />
      <Measures trace={trace} path="hardware.units" rows={found.units} names={names} />
      {found.slots.length > 0 && (
        <section>
          <h3>{tableOf("hardware.slots").title}</h3>
          <ReportTable trace={trace} path="hardware.slots" rows={found.slots} />
        </section>
      )}
    </>
  );
}
