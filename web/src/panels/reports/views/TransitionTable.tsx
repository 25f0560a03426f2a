/** Report on transitions, and on states and signals that never occurred. */

import type { TransitionRow, Transitions } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { SortableTable } from "../../table/SortableTable";
import { ReportTable } from "./ReportTable";

const actions = ({ actions: all }: TransitionRow) =>
  all
    .map(({ role, function: name, count }) => `${role} ${name}${count > 1 ? ` ×${count}` : ""}`)
    .join(", ");

const trigger = (row: TransitionRow) => (row.initial ? "(initial)" : (row.trigger ?? "(unknown)"));

export function TransitionTable({
  trace,
  transitions,
}: {
  trace: TraceState;
  transitions: Transitions;
}) {
  const { taken, states_never_entered: states, signals_never_received: signals } = transitions;
  return (
    <>
      <ReportTable
        trace={trace}
        path="transitions.taken"
        rows={taken}
        special={{ trigger: { value: trigger }, actions: { value: actions } }}
      />
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
