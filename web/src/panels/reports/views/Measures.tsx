/** The distributions of a table's rows, one at a time. */

import { useSignal } from "@preact/signals";
import type { DescribedTable, Row } from "../../../session/reports";
import { Button, Segments, set } from "../../../shell/controls";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution, measuresOf, nameColumns, nameOf } from "./columns";
import { Histogram } from "./Histogram";
import { titleOf } from "./ReportTable";

export function Measures({ trace, table }: { trace: TraceState; table: DescribedTable }) {
  const measures = measuresOf(table);
  const number = useSignal(0);
  const shownName = useSignal("");
  const chosen = measures[number.value];
  const [first, ...others] = nameColumns(trace, table);
  if (chosen === undefined || first === undefined) return null;
  const { title, hint, of } = chosen;
  const measured = table.rows.filter((row) => of(row) !== null);
  const named = measured.find((row) => rowName(row) === shownName.value);
  const worst = measured.toSorted((one, other) => (of(other)?.max ?? 0) - (of(one)?.max ?? 0));
  const shown = named ?? worst[0];
  const drawn = shown && of(shown);
  // Several rows can have the same first name.
  function rowName(row: Row): string {
    return [first, ...others].map((column) => column?.value(row) ?? "").join(" ");
  }
  const name: Column<Row> = {
    ...first,
    show: (row) => (
      <Button class="link" title="Show distribution" onClick={set(shownName, rowName(row))}>
        {nameOf(table, row)}
      </Button>
    ),
  };
  return (
    <section>
      <h3>Durations</h3>
      {measures.length > 1 && (
        <Segments
          label="Measure"
          of={measures.map((measure, key) => ({ ...measure, key }))}
          chosen={number.value}
          choose={(key) => {
            number.value = key;
          }}
        />
      )}
      <p class="muted report-scope">
        {title}
        {shown && ` of ${nameOf(table, shown)}`}
        {hint !== "" && `: ${hint}`}.
      </p>
      {shown && drawn && (
        <Histogram trace={trace} label={`${title} of ${nameOf(table, shown)}`} of={drawn} />
      )}
      <SortableTable
        label={`${title}: ${titleOf(table)}`}
        columns={[name, ...others, ...distribution(trace, of)]}
        rows={measured}
        initial={{ column: others.length + 1, descending: true }}
        empty="No measurements."
      />
    </section>
  );
}
