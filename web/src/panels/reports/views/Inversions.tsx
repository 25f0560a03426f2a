/** Report on priority inversions, with links that show them in the timeline. */

import type { InversionRow } from "../../../session/reports";
import { durationText, shownClock } from "../../../state/format";
import { showTime } from "../../../state/navigation";
import type { TraceState } from "../../../state/trace";
import { ReportTable } from "./ReportTable";

const culprits = (row: InversionRow) => row.culprits.map(({ thread }) => thread).join(", ");

export function Inversions({ trace, rows }: { trace: TraceState; rows: readonly InversionRow[] }) {
  const start = (row: InversionRow) => {
    const text = durationText(row.start_ticks, shownClock(trace));
    return (
      <button
        type="button"
        class="link"
        title="Zoom to inversion"
        aria-label={`Zoom to the inversion at ${text}`}
        onClick={() => {
          const event = row.start_event ?? row.end_event;
          void (event === null ? Promise.resolve(true) : trace.select(event)).then(() =>
            showTime(trace, row.start_ticks, row.end_ticks),
          );
        }}
      >
        {text}
      </button>
    );
  };
  return (
    <ReportTable
      trace={trace}
      path="inversions"
      rows={rows}
      special={{ start_ticks: { show: start }, culprits: { value: culprits } }}
    />
  );
}
