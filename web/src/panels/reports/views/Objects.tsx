/** Report on levels of queues, semaphores and pools, and waits for them. */

import type { ObjectRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { addGraph } from "../../graphs/selected-graphs";
import { Share } from "../../table/Share";
import { durationCell, reportColumns } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

const WARNS = { from: 80, critical: 100 };

export function Objects({ trace, rows }: { trace: TraceState; rows: readonly ObjectRow[] }) {
  const { levels, objects } = trace.overview;
  const levelOf = (row: ObjectRow) =>
    levels.find(
      ({ class: what, name, object }) =>
        what === row.class &&
        (object === null ? name === row.name : objects[object]?.address === row.address),
    );
  const show = (row: ObjectRow) => {
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
  };
  const waited = ({ waiters }: ObjectRow) => (waiters.count > 0 ? waiters.max_ticks : null);
  const special = {
    name: { show },
    high_water_percent: {
      show: (row: ObjectRow) => <Share percent={row.high_water_percent} warns={WARNS} />,
    },
    "waiters.max_ticks": {
      value: waited,
      show: (row: ObjectRow) => durationCell(trace, waited(row), row.waiters.max_event),
    },
  };
  const names = reportColumns<ObjectRow, "objects">(trace, "objects").slice(0, 1);
  return (
    <>
      <ReportTable trace={trace} path="objects" rows={rows} special={special} />
      <Measures trace={trace} path="objects" rows={rows} names={names} />
    </>
  );
}
