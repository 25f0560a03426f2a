/** Report on timers of active objects: endings and accuracy. */

import type { NominalRuns, TimerRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { SortableTable } from "../../table/SortableTable";
import { distribution, reportColumns, tableOf } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

interface TimerRun extends NominalRuns {
  timer: string;
}

export function Timers({ trace, rows }: { trace: TraceState; rows: readonly TimerRow[] }) {
  const names = reportColumns<TimerRow, "timers">(trace, "timers").slice(0, 1);
  const runs: TimerRun[] = rows.flatMap(({ name, nominal }) =>
    nominal.map((run) => ({ ...run, timer: name })),
  );
  const { title, empty } = tableOf("timers.*.nominal");
  return (
    <>
      <ReportTable trace={trace} path="timers" rows={rows} />
      <section>
        <h3>{title}</h3>
        <SortableTable
          label={title}
          rows={runs}
          empty={`${empty}.`}
          columns={[
            { title: "Timer", value: (row) => row.timer },
            ...reportColumns<TimerRun, "timers.*.nominal">(trace, "timers.*.nominal"),
            ...distribution<TimerRun>(trace, (row) => row.duration),
          ]}
        />
      </section>
      <Measures trace={trace} path="timers" rows={rows} names={names} />
    </>
  );
}
