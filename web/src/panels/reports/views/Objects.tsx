/** Report on levels of queues, semaphores and pools, and waits for them. */

import type { ObjectRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { addGraph } from "../../graphs/selected-graphs";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution, duration, event, share } from "./columns";

const WARNS = { from: 80, critical: 100 };

export function Objects({ trace, rows }: { trace: TraceState; rows: readonly ObjectRow[] }) {
  const { levels, objects } = trace.overview;
  const levelOf = (row: ObjectRow) =>
    levels.find(
      ({ class: what, name, object }) =>
        what === row.class &&
        (object === null ? name === row.name : objects[object]?.address === row.address),
    );
  const name: Column<ObjectRow> = {
    title: "Object",
    value: (row) => row.name,
    show: (row) => {
      const level = levelOf(row);
      return level ? (
        <button
          type="button"
          class="link"
          title="Show level graph"
          onClick={() => addGraph(trace, { kind: "level", resource: level.resource })}
        >
          {row.name}
        </button>
      ) : (
        row.name
      );
    },
  };
  const columns: Column<ObjectRow>[] = [
    name,
    { title: "Class", value: (row) => row.class },
    share("High-water mark", (row) => row.high_water_percent, WARNS),
    { title: "Min", value: (row) => row.level?.min, isNumber: true },
    event(trace, "at", (row) => row.level?.min_event),
    { title: "Max", value: (row) => row.level?.max, isNumber: true },
    event(trace, "at event", (row) => row.level?.max_event),
    { title: "Mean", value: (row) => row.level?.mean, isNumber: true },
    { title: "Capacity", value: (row) => row.capacity, isNumber: true },
    { title: "Calls", value: (row) => row.calls },
    { title: "Puts", value: (row) => row.puts },
    { title: "Takes", value: (row) => row.takes },
    { title: "Blocked", value: (row) => row.blocked },
    { title: "Rejected", value: (row) => row.refused },
    { title: "Waits", value: (row) => row.waiters.count },
    duration(
      trace,
      "Max wait",
      (row) => (row.waiters.count > 0 ? row.waiters.max_ticks : null),
      (row) => row.waiters.max_event,
    ),
  ];
  return (
    <>
      <SortableTable
        label="Objects"
        columns={columns}
        rows={rows}
        empty="No queues, semaphores or pools."
      />
      <section>
        <h3>Transfer times</h3>
        <SortableTable
          label="Transfer times"
          columns={[name, ...distribution<ObjectRow>(trace, (row) => row.transfer)]}
          rows={rows.filter(({ transfer }) => transfer !== null)}
          empty="No transfers."
        />
      </section>
    </>
  );
}
