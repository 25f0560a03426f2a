/** Report on state residency. */

import type { MachineStates, StateRow } from "../../../session/reports";
import { durationText, shareText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { SortableTable } from "../../table/SortableTable";
import { reportColumns } from "./columns";

export function States({
  trace,
  machines,
}: {
  trace: TraceState;
  machines: readonly MachineStates[];
}) {
  if (machines.length === 0) return <p class="nothing">No recorded states.</p>;
  return (
    <>
      {machines.map((machine) => (
        <Machine key={machine.address} trace={trace} machine={machine} />
      ))}
    </>
  );
}

function Machine({ trace, machine }: { trace: TraceState; machine: MachineStates }) {
  const { object, states, active, unknown_ticks: unknown, unknown_percent: percent } = machine;
  const columns = reportColumns<StateRow, "states.*.states">(trace, "states.*.states");
  // Without nested states, the second table would repeat the first.
  const composite = active.filter(({ address }) => !states.some((one) => one.address === address));
  return (
    <section>
      <h3>{object}</h3>
      <SortableTable
        label={`States of ${object}`}
        columns={columns}
        rows={states}
        empty="No recorded states."
      />
      {unknown > 0 && (
        <p class="muted report-scope">
          Unknown: {durationText(unknown, shownClock(trace))}
          {percent !== null && ` (${shareText(percent)})`}.
        </p>
      )}
      {composite.length > 0 && (
        <SortableTable
          label={`Composite states of ${object}`}
          rows={composite}
          columns={columns.map((column, at) =>
            at === 0 ? { ...column, title: "Composite state" } : column,
          )}
        />
      )}
    </section>
  );
}
