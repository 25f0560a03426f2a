/** Report on active objects: events and durations. */

import type { ActiveObjectRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { showMachine } from "../../machine/selected-machine";
import { reportColumns } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

interface ActiveObjectsProps {
  trace: TraceState;
  rows: readonly ActiveObjectRow[];
}

export function ActiveObjects({ trace, rows }: ActiveObjectsProps) {
  const { contexts } = trace.overview;
  const contextOf = (row: ActiveObjectRow) =>
    contexts.findIndex(
      ({ kind, address, name }) =>
        kind === "active-object" && address === row.address && name === row.name,
    );
  const show = (row: ActiveObjectRow) => {
    const context = contextOf(row);
    return context < 0 ? (
      row.name
    ) : (
      <button
        type="button"
        class="link"
        title="Show state machine"
        onClick={() => showMachine(trace, context)}
      >
        {row.name}
      </button>
    );
  };
  const names = reportColumns<ActiveObjectRow, "active">(trace, "active").slice(0, 1);
  return (
    <>
      <ReportTable trace={trace} path="active" rows={rows} special={{ name: { show } }} />
      <Measures
        trace={trace}
        path="active"
        rows={rows}
        names={names}
        histogramOf={({ name, address }) => ({ name, id: address })}
      />
    </>
  );
}
