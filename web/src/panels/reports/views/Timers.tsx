/** Timers of active objects: how they ended, and how exact they are. */

import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import type { Distribution, TimerRow } from "../document";
import { distribution } from "./columns";

interface Run {
  name: string;
  ticks: number;
  periodic: boolean;
  duration: Distribution;
}

export function Timers({ trace, rows }: { trace: TraceState; rows: readonly TimerRow[] }) {
  const name: Column<TimerRow> = { title: "Timer", value: (row) => row.name };
  const columns: Column<TimerRow>[] = [
    name,
    { title: "To", value: (row) => row.object },
    { title: "Signal", value: (row) => row.signal },
    { title: "Runs", value: (row) => row.runs },
    { title: "Expired", value: (row) => row.expired },
    { title: "Stopped", value: (row) => row.stopped },
    { title: "Restarted", hint: "Started again before it ended", value: (row) => row.restarted },
    { title: "Running", hint: "At the end", value: (row) => row.running },
    { title: "Lost", hint: "Records are missing", value: (row) => row.lost },
  ];
  const runs: Run[] = rows.flatMap((row) =>
    row.nominal.map(({ timer_ticks: ticks, periodic, duration }) => ({
      name: row.name,
      ticks,
      periodic,
      duration,
    })),
  );
  const ofRuns: Column<Run>[] = [
    { title: "Timer", value: (row) => row.name },
    { title: "Timer ticks", hint: "What it was to take", value: (row) => row.ticks },
    { title: "Periodic", value: (row) => (row.periodic ? "yes" : "no") },
    ...distribution<Run>(trace, (row) => row.duration),
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
      <SortableTable label="Timers" columns={columns} rows={rows} empty="No timer ran here." />
      <section>
        <h3>From start to expiry</h3>
        <SortableTable
          label="From start to expiry"
          columns={ofRuns}
          rows={runs}
          empty="None expired."
        />
      </section>
      <section>
        <h3>From expiry to step</h3>
        {part("From expiry to step", (row) => row.delay, "Nothing was measured.")}
      </section>
      <section>
        <h3>Jitter of periodic timers</h3>
        {part("Jitter", (row) => row.jitter, "None is periodic.")}
      </section>
    </>
  );
}
