/** Report on threads. */

import type { ThreadRow } from "../../../session/reports";
import { durationText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { classProperty } from "../../../timeline/palette";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { durationCell, reportColumns, tableOf } from "./columns";

/** States of a thread with their ticks; the names are those of bar classes. */
function statesOf({ states }: ThreadRow): { name: string; ticks: number }[] {
  const all = [
    { name: "running", ticks: states.running },
    { name: "interrupted", ticks: states.interrupted },
    { name: "ready", ticks: states.ready ?? 0 },
    ...Object.entries(states.waiting).map(([name, ticks]) => ({ name, ticks })),
    { name: "unknown", ticks: states.unknown },
  ];
  return all.filter(({ ticks }) => ticks > 0);
}

function States({ trace, row }: { trace: TraceState; row: ThreadRow }) {
  const states = statesOf(row);
  const text = states
    .map(({ name, ticks }) => `${name} ${durationText(ticks, shownClock(trace))}`)
    .join("\n");
  return (
    <span class="states" title={text} role="img" aria-label={text.replaceAll("\n", ", ")}>
      {states.map(({ name, ticks }) => (
        <span
          key={name}
          style={{ flex: `${ticks} 0 0`, background: `var(${classProperty(name)})` }}
        />
      ))}
    </span>
  );
}

const waited = (row: ThreadRow) =>
  Object.values(row.states.waiting).reduce((sum, ticks) => sum + ticks, 0);

export function Threads({ trace, rows }: { trace: TraceState; rows: readonly ThreadRow[] }) {
  const name = (row: ThreadRow) => (
    <>
      {row.name}
      {row.deleted && <span class="muted"> deleted</span>}
    </>
  );
  const columns: Column<ThreadRow>[] = [
    ...reportColumns<ThreadRow, "threads">(trace, "threads", { name: { show: name } }),
    {
      title: "Waiting",
      value: waited,
      isNumber: true,
      show: (row) => durationCell(trace, waited(row)),
    },
    {
      title: "States",
      value: (row) => row.states.running,
      isNumber: true,
      show: (row) => <States trace={trace} row={row} />,
    },
  ];
  return <SortableTable label={tableOf("threads").title} columns={columns} rows={rows} />;
}
