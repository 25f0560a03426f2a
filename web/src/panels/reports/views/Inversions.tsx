/** Report on priority inversions, with links that show them in the timeline. */

import type { InversionRow } from "../../../session/reports";
import { durationText, shownClock } from "../../../state/format";
import { showTime } from "../../../state/navigation";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { duration, event } from "./columns";

const kindOf = ({ unbounded }: InversionRow) =>
  unbounded === null ? "unknown" : unbounded ? "unbounded" : "bounded";

export function Inversions({ trace, rows }: { trace: TraceState; rows: readonly InversionRow[] }) {
  const columns: Column<InversionRow>[] = [
    {
      title: "Start",
      value: (row) => row.start_ticks,
      isNumber: true,
      show: (row) => (
        <button
          type="button"
          class="link"
          title="Zoom to inversion"
          aria-label={`Zoom to the inversion at ${durationText(row.start_ticks, shownClock(trace))}`}
          onClick={() => {
            const event = row.start_event ?? row.end_event;
            void (event === null ? Promise.resolve(true) : trace.select(event)).then(() =>
              showTime(trace, row.start_ticks, row.end_ticks),
            );
          }}
        >
          {durationText(row.start_ticks, shownClock(trace))}
        </button>
      ),
    },
    { title: "Kind", value: kindOf },
    { title: "Blocked", value: (row) => `${row.blocked} (${row.blocked_priority})` },
    { title: "Mutex", value: (row) => row.object },
    { title: "Owner", value: (row) => row.owner && `${row.owner} (${row.owner_priority})` },
    duration(trace, "Duration", (row) => row.ticks),
    { title: "Prolonged by", value: (row) => row.culprits.map(({ thread }) => thread).join(", ") },
    event(trace, "Start event", (row) => row.start_event),
    event(trace, "End event", (row) => row.end_event),
    { title: "Ending", value: (row) => row.ending },
  ];
  return (
    <SortableTable
      label="Priority inversions"
      columns={columns}
      rows={rows}
      empty="No priority inversions."
    />
  );
}
