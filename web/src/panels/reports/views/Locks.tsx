/** Report on mutexes: holds and waits. */

import type { LockRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution, duration, event, share } from "./columns";

export function Locks({ trace, rows }: { trace: TraceState; rows: readonly LockRow[] }) {
  const name: Column<LockRow> = { title: "Mutex", value: (row) => row.name };
  const columns: Column<LockRow>[] = [
    name,
    { title: "Acquired", hint: "Number of acquisitions", value: (row) => row.acquisitions },
    share("Contended", (row) => row.contended_percent),
    duration(
      trace,
      "Max hold",
      (row) => row.max_hold?.ticks,
      (row) => row.max_hold?.first_event,
    ),
    { title: "Held by", value: (row) => row.max_hold?.thread },
    event(trace, "End", (row) => row.max_hold?.event),
    { title: "Max waiting", value: (row) => row.max_waiting },
    { title: "Given up", value: (row) => row.given_up },
    { title: "Inversions", value: (row) => row.inversions.total },
    { title: "Unbounded", value: (row) => row.inversions.unbounded },
    { title: "Owner at end", value: (row) => row.owner_at_end },
  ];
  return (
    <>
      <SortableTable label="Mutexes" columns={columns} rows={rows} empty="No mutexes used." />
      {rows.length > 0 && (
        <>
          <section>
            <h3>Hold times</h3>
            <SortableTable
              label="Hold times"
              columns={[name, ...distribution<LockRow>(trace, (row) => row.hold)]}
              rows={rows}
            />
          </section>
          <section>
            <h3>Wait times</h3>
            <SortableTable
              label="Wait times"
              columns={[name, ...distribution<LockRow>(trace, (row) => row.wait)]}
              rows={rows.filter(({ wait }) => wait !== null)}
              empty="No thread waited."
            />
          </section>
        </>
      )}
    </>
  );
}
