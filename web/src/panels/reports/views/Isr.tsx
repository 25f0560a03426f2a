/** Report on interrupt service routines. */

import type { ComponentChildren } from "preact";
import type { IsrRow } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { Share } from "../../table/Share";
import { durationCell, reportColumns } from "./columns";
import { Measures } from "./Measures";
import { ReportTable } from "./ReportTable";

/** Routines without number did take time, whether or not it was recorded. */
const hasKnownTime = ({ number, ticks }: IsrRow) => number !== null || ticks > 0;

/** A measure of a routine's time, to show, sort by and copy. */
function timeColumn(
  of: (row: IsrRow) => number | null,
  show: (value: number | null) => ComponentChildren,
): Partial<Column<IsrRow>> {
  return {
    value: (row) => (hasKnownTime(row) ? of(row) : "unknown"),
    show: (row) => (hasKnownTime(row) ? show(of(row)) : "unknown"),
  };
}

export function Isr({ trace, rows }: { trace: TraceState; rows: readonly IsrRow[] }) {
  const special = {
    ticks: timeColumn(
      (row) => row.ticks,
      (ticks) => durationCell(trace, ticks),
    ),
    percent: timeColumn(
      (row) => row.percent,
      (percent) => <Share percent={percent} />,
    ),
  };
  const names = reportColumns<IsrRow, "isr">(trace, "isr").slice(0, 1);
  return (
    <>
      <ReportTable trace={trace} path="isr" rows={rows} special={special} />
      <Measures trace={trace} path="isr" rows={rows} names={names} />
    </>
  );
}
