/** Mutexes: who holds them for how long, and who waits. */

import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import type { LockRow } from "../document";
import { distribution, duration, event, share } from "./columns";

export function Locks({ trace, rows }: { trace: TraceState; rows: readonly LockRow[] }) {
  const name: Column<LockRow> = { title: "Mutex", value: (row) => row.name };
  const columns: Column<LockRow>[] = [
    name,
    { title: "Got", hint: "Times that a thread got it", value: (row) => row.acquisitions },
    share("Contended", (row) => row.contended_percent),
    duration(
      trace,
      "Longest hold",
      (row) => row.longest_hold?.ticks,
      (row) => row.longest_hold?.first_event,
    ),
    { title: "Held by", value: (row) => row.longest_hold?.thread },
    event(trace, "Until", (row) => row.longest_hold?.event),
    { title: "Most waiting", value: (row) => row.most_waiting },
    { title: "Given up", value: (row) => row.given_up },
    { title: "Inversions", value: (row) => row.inversions.total },
    { title: "Unbounded", value: (row) => row.inversions.unbounded },
    { title: "Owner at end", value: (row) => row.owner_at_end },
  ];
  return (
    <>
      <SortableTable label="Mutexes" columns={columns} rows={rows} empty="No mutex was used." />
      {rows.length > 0 && (
        <>
          <section>
            <h3>How long it was held</h3>
            <SortableTable
              label="Holds"
              columns={[name, ...distribution<LockRow>(trace, (row) => row.hold)]}
              rows={rows}
            />
          </section>
          <section>
            <h3>How long threads waited</h3>
            <SortableTable
              label="Waits"
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
