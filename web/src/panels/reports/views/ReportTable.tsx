/** A table of a report. */

import type { TraceState } from "../../../state/trace";
import { SortableTable } from "../../table/SortableTable";
import {
  type ColumnKey,
  reportColumns,
  type SpecialColumns,
  type TablePath,
  tableOf,
} from "./columns";

interface ReportTableProps<R, P extends TablePath> {
  trace: TraceState;
  path: P;
  rows: readonly R[];
  /** Changes of columns, by key. */
  special?: SpecialColumns<R, P>;
  /** Column by which the table is sorted at first, the largest value at the top. */
  sortedBy?: ColumnKey<P>;
}

export function ReportTable<R, P extends TablePath>(props: ReportTableProps<R, P>) {
  const { trace, path, rows, special, sortedBy } = props;
  const { title, empty, columns } = tableOf(path);
  const column = columns.findIndex(({ key }) => key === sortedBy);
  return (
    <SortableTable
      label={title}
      columns={reportColumns<R, P>(trace, path, special)}
      rows={rows}
      empty={`${empty}.`}
      {...(column < 0 ? {} : { initial: { column, descending: true } })}
    />
  );
}
