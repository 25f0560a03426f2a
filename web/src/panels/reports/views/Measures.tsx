/** The distributions of a table's rows, one at a time. */

import { useSignal } from "@preact/signals";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution, measuresOf, type TablePath, tableOf } from "./columns";
import { Histogram } from "./Histogram";

interface MeasuresProps<R> {
  trace: TraceState;
  path: TablePath;
  rows: readonly R[];
  /** Columns that name a row. */
  names: readonly Column<R>[];
  /** Name and identity of a row whose histogram can be shown. */
  histogramOf?: (row: R) => { name: string; id: string };
  onShow?: (row: R) => void;
}

export function Measures<R>({ trace, path, rows, names, histogramOf }: MeasuresProps<R>) {
  const measures = measuresOf<R>(path);
  const number = useSignal(0);
  const shownId = useSignal("");
  const chosen = measures[number.value];
  if (chosen === undefined) return null;
  const { title, hint, of } = chosen;
  const measured = rows.filter((row) => of(row) !== null);
  const shown = measured.find((row) => histogramOf?.(row).id === shownId.value) ?? measured[0];
  const drawn = shown && of(shown);
  const [first, ...others] = names;
  const named: Column<R>[] = first
    ? [
        histogramOf
          ? {
              ...first,
              show: (row) => (
                <button
                  type="button"
                  class="link"
                  title="Show distribution"
                  onClick={() => {
                    shownId.value = histogramOf(row).id;
                  }}
                >
                  {histogramOf(row).name}
                </button>
              ),
            }
          : first,
        ...others,
      ]
    : [];
  return (
    <section>
      <h3>Durations</h3>
      <fieldset class="segments" aria-label="Measure">
        {measures.map((measure, at) => (
          <button
            key={measure.title}
            type="button"
            aria-pressed={at === number.value}
            title={measure.hint}
            onClick={() => {
              number.value = at;
            }}
          >
            {measure.title}
          </button>
        ))}
      </fieldset>
      {hint !== undefined && (
        <p class="muted report-scope">
          {title}: {hint}.
        </p>
      )}
      {histogramOf && shown && drawn && (
        <Histogram trace={trace} label={`${title} of ${histogramOf(shown).name}`} of={drawn} />
      )}
      <SortableTable
        label={`${title}: ${tableOf(path).title}`}
        columns={[...named, ...distribution(trace, of)]}
        rows={measured}
        empty="No measurements."
      />
    </section>
  );
}
