/** Report on timers of active objects: endings and accuracy. */

import type { Distribution, TimerRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution } from "./columns";

interface TimerRun {
  name: string;
  ticks: number;
  periodic: boolean;
  duration: Distribution;
}

export function Timers({ trace, rows }: { trace: TraceState; rows: readonly TimerRow[] }) {
  const name: Column<TimerRow> = { title: "Timer", value: (row) => row.name };
  const columns: Column<TimerRow>[] = [
    name,
    { title: "Receiver", value: (row) => row.object },
    { title: "Signal", value: (row) => row.signal },
    { title: "Runs", value: (row) => row.runs },
    { title: "Expired", value: (row) => row.expired },
    { title: "Stopped", value: (row) => row.stopped },
    { title: "Restarted", hint: "Started again before it expired", value: (row) => row.restarted },
    { title: "Running", hint: "At the end", value: (row) => row.running },
    { title: "Lost", hint: "Missing records", value: (row) => row.lost },
  ];
  const runs: TimerRun[] = rows.flatMap((row) =>
    row.nominal.map(({ timer_ticks: ticks, periodic, duration }) => ({
      name: row.name,
      ticks,
      periodic,
      duration,
    })),
  );
  const ofRuns: Column<TimerRun>[] = [
    { title: "Timer", value: (row) => row.name },
    { title: "Timer ticks", hint: "Nominal duration", value: (row) => row.ticks },
    { title: "Periodic", value: (row) => (row.periodic ? "yes" : "no") },
    ...distribution<TimerRun>(trace, (row) => row.duration),
  ];
  const part = (label: string, of: (row: TimerRow) => Distribution | null, empty: string) => (
    <SortableTable
      label={label}
      columns={[name, ...distribution(trace, of)]}
      rows={rows.filter((row) => of(row) !== null)}
      empty={empty}
    />
  );
  return (
    <>
      <SortableTable label="Timers" columns={columns} rows={rows} empty="No timers." />
      <section>
        <h3>Start to expiry</h3>
        <SortableTable
          label="Start to expiry"
          columns={ofRuns}
          rows={runs}
          empty="No timer expired."
        />
      </section>
      <section>
        <h3>Expiry to step</h3>
        {part("Expiry to step", (row) => row.delay, "No measurements.")}
      </section>
      <section>
        <h3>Jitter of periodic timers</h3>
        {part("Jitter", (row) => row.jitter, "No periodic timers.")}
      </section>
    </>
  );
}
