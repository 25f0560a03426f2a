/** A described table, or a list of figures, with its distributions. */

import type { DescribedTable } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { FactList } from "../../FactList";
import { SortableTable } from "../../table/SortableTable";
import {
  columnsOf,
  distribution,
  figuresOf,
  type Measure,
  measuresOf,
  nameColumns,
} from "./columns";
import { Histogram } from "./Histogram";
import { Measures } from "./Measures";

interface ReportTableProps {
  trace: TraceState;
  table: DescribedTable;
}

/** The title of a table. */
export const titleOf = ({ title, of }: DescribedTable): string =>
  of === undefined ? title : `${title} of ${of}`;

function Note({ table: { note, rows } }: { table: DescribedTable }) {
  return note === "" || rows.length === 0 ? null : <p class="muted report-scope">{note}.</p>;
}

function Figures({ trace, table }: ReportTableProps) {
  const [row = []] = table.rows;
  const measures = measuresOf(table).filter(({ of }) => of(row) !== null);
  const [first] = measures;
  const drawn = first?.of(row);
  return (
    <>
      <FactList class="figures" aria-label={titleOf(table)} facts={figuresOf(trace, table)} />
      <Note table={table} />
      {first && drawn && (
        <Histogram trace={trace} label={`${first.title} of ${titleOf(table)}`} of={drawn} />
      )}
      {measures.length > 0 && (
        <SortableTable
          label={`Durations: ${titleOf(table)}`}
          columns={[
            { title: "Measure", value: (measure: Measure) => measure.title },
            ...distribution<Measure>(trace, ({ of }) => of(row)),
          ]}
          rows={measures}
        />
      )}
    </>
  );
}

export function ReportTable({ trace, table }: ReportTableProps) {
  const { rank, empty, rows } = table;
  if (table.is_figures && rows.length > 0) return <Figures trace={trace} table={table} />;
  const columns = columnsOf(trace, table);
  const ranked = table.columns
    .filter(({ kind }) => kind !== "distribution")
    .findIndex(({ key }) => key === rank);
  const isMeasured = rows.length > 0 && measuresOf(table).length > 0;
  // A table of names and distributions has nothing else to show.
  const isShown = columns.length > nameColumns(trace, table).length || !isMeasured;
  return (
    <>
      {isShown && (
        <SortableTable
          label={titleOf(table)}
          columns={columns}
          rows={rows}
          empty={empty.endsWith(".") ? empty : `${empty}.`}
          {...(ranked < 0 ? {} : { initial: { column: ranked, descending: true } })}
        />
      )}
      <Note table={table} />
      {isMeasured && <Measures trace={trace} table={table} />}
    </>
  );
}
