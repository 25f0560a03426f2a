/** Report on transitions, and on states and signals that never occurred. */

import type { TransitionRow, Transitions } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { event } from "./columns";

const actions = ({ actions: all }: TransitionRow) =>
  all
    .map(({ role, function: name, count }) => `${role} ${name}${count > 1 ? ` ×${count}` : ""}`)
    .join(", ");

export function TransitionTable({
  trace,
  transitions,
}: {
  trace: TraceState;
  transitions: Transitions;
}) {
  const { taken, states_never_entered: states, signals_never_received: signals } = transitions;
  const columns: Column<TransitionRow>[] = [
    { title: "Active object", value: (row) => row.object },
    { title: "Source", value: (row) => (row.initial ? "initial" : row.source) },
    { title: "Trigger", value: (row) => row.trigger },
    {
      title: "Target",
      value: (row) => row.target,
      show: (row) => row.target ?? <span class="muted">internal</span>,
    },
    { title: "Settled state", value: (row) => row.settled },
    { title: "Count", value: (row) => row.count },
    event(trace, "First", (row) => row.first_event),
    event(trace, "Last", (row) => row.last_event),
    { title: "Actions", value: actions },
  ];
  return (
    <>
      <SortableTable label="Transitions" columns={columns} rows={taken} empty="No transitions." />
      <section>
        <h3>States never entered</h3>
        <SortableTable
          label="States never entered"
          rows={states}
          empty="None."
          columns={[
            { title: "State", value: (row) => row.state },
            { title: "Active object", value: (row) => row.object },
          ]}
        />
      </section>
      <section>
        <h3>Signals never received</h3>
        <SortableTable
          label="Signals never received"
          rows={signals}
          empty="None."
          columns={[{ title: "Signal", value: (name) => name }]}
        />
      </section>
    </>
  );
}
