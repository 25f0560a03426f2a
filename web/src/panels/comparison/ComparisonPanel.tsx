/** The figures of two recordings side by side. */

import { useSignal } from "@preact/signals";
import type { ComparedFigure, ComparisonDocument, Subject, Verdict } from "../../session/reports";
import { Button, Options, Segments, textOf } from "../../shell/controls";
import { type Comparison, shownComparison } from "../../state/comparison/comparison";
import { plural } from "../../state/format";
import type { TraceState } from "../../state/trace";
import type { Column } from "../table/column";
import { SortableTable } from "../table/SortableTable";
import { useAnswer } from "../useAnswer";
import { changeText, VERDICTS, valueText, weightOf } from "./figure-text";
import { OverlaidHistogram } from "./OverlaidHistogram";
import { clocksOf, selectedFigure, showFigure } from "./selected-figure";
import "../panel.css";
import "./comparison-panel.css";

/** What the table lists. */
type Listed = "figures" | "new" | "vanished";

/** Differences below this many percent are not listed at first. */
const DEFAULT_THRESHOLD = "5";

const SUBJECT_COLUMNS: readonly Column<Subject>[] = [
  { title: "Subject", value: ({ subject }) => subject },
  { title: "Table", value: ({ table }) => table },
];

export function ComparisonPanel(_: { trace: TraceState }) {
  const comparison = shownComparison.value;
  return comparison && <Compared comparison={comparison} />;
}

function useComparison({ sides: [before, after] }: Comparison) {
  const baseline = useAnswer(before, { query: "figures" }, before.frequencyHz.value);
  const figures = baseline.answer;
  return useAnswer(
    after,
    figures === null ? null : { query: "comparison", baseline: figures },
    after.frequencyHz.value,
  );
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { answer, error } = useComparison(comparison);
  const listed = useSignal<Listed>("figures");
  if (error !== null)
    return (
      <div class="panel comparison">
        <p class="problem">{error}</p>
      </div>
    );
  if (answer === null) return <div class="panel comparison" aria-busy="true" />;
  return (
    <div class="panel comparison">
      <Histogram comparison={comparison} />
      <Segments
        label="Listed"
        of={[
          { key: "figures", title: "Figures", hint: "Figures that both recordings have" },
          { key: "new", title: `New (${answer.new.length})`, hint: "What only the later one has" },
          {
            key: "vanished",
            title: `Vanished (${answer.vanished.length})`,
            hint: "What only the earlier one has",
          },
        ]}
        chosen={listed.value}
        choose={(chosen) => {
          listed.value = chosen;
        }}
      />
      {listed.value === "figures" ? (
        <Figures comparison={comparison} document={answer} />
      ) : (
        <SortableTable
          label={listed.value === "new" ? "New" : "Vanished"}
          widthsKey="Compared subjects"
          columns={SUBJECT_COLUMNS}
          rows={answer[listed.value]}
          empty="Both recordings have the same subjects."
        />
      )}
    </div>
  );
}

function Figures({
  comparison,
  document,
}: {
  comparison: Comparison;
  document: ComparisonDocument;
}) {
  const verdict = useSignal<Verdict | "">("");
  const threshold = useSignal(DEFAULT_THRESHOLD);
  const text = useSignal("");
  if (document.figures.length === 0)
    return (
      <p class="nothing">
        The recordings have no figure in common, or the clock of one is unknown (C sets it).
      </p>
    );
  const least = Number(threshold.value) || 0;
  const wanted = text.value.trim().toLowerCase();
  const rows = document.figures.filter(
    (figure) =>
      (verdict.value === "" || figure.verdict === verdict.value) &&
      weightOf(figure) >= least &&
      `${figure.subject} ${figure.figure} ${figure.table}`.toLowerCase().includes(wanted),
  );
  const isUndecided = document.figures.some((figure) => figure.verdict === "undecided");
  return (
    <>
      <div class="row">
        <input
          type="search"
          aria-label="Filter figures"
          placeholder="Filter by subject, figure or table"
          {...textOf(text)}
        />
        <label>
          from{" "}
          <input
            class="threshold"
            type="number"
            min="0"
            step="any"
            aria-label="Least difference in percent"
            {...textOf(threshold)}
          />{" "}
          %
        </label>
        <select
          aria-label="Verdict"
          value={verdict.value}
          onChange={({ currentTarget }) => {
            verdict.value = currentTarget.value as Verdict | "";
          }}
        >
          <option value="">All verdicts</option>
          <Options of={Object.entries(VERDICTS)} />
        </select>
      </div>
      <p class="muted report-scope">
        {plural(rows.length, "figure")} of {document.figures.length}.
        {isUndecided &&
          " Undecided: two recordings do not show how much runs vary. It takes four on each side: rtoscope compare."}
      </p>
      <SortableTable
        label="Compared figures"
        columns={columnsOf(comparison)}
        rows={rows}
        empty="No figure differs like that."
      />
    </>
  );
}

function columnsOf(comparison: Comparison): Column<ComparedFigure>[] {
  return [
    {
      title: "Subject",
      hint: "Show where it is from in both recordings",
      value: ({ subject }) => subject,
      show: (figure) => (
        <Button
          class="link"
          title={`Show ${figure.figure} of ${figure.subject || "the recording"} in both recordings`}
          onClick={() => void showFigure(comparison, figure)}
        >
          {figure.subject || "(recording)"}
        </Button>
      ),
    },
    { title: "Figure", value: ({ figure }) => figure },
    {
      title: "Change",
      value: (figure) => figure.percent ?? (weightOf(figure) === 0 ? 0 : Infinity),
      isNumber: true,
      show: changeText,
    },
    {
      title: "Before",
      value: ({ before }) => before,
      isNumber: true,
      show: ({ before, unit }) => valueText(before, unit),
    },
    {
      title: "After",
      value: ({ after }) => after,
      isNumber: true,
      show: ({ after, unit }) => valueText(after, unit),
    },
    { title: "Verdict", value: ({ verdict }) => VERDICTS[verdict] },
    { title: "Table", value: ({ table }) => table },
  ];
}

function Histogram({ comparison }: { comparison: Comparison }) {
  const selected = selectedFigure(comparison).value;
  // With another clock, the durations are others.
  if (selected === null || selected.clocks !== clocksOf(comparison)) return null;
  const { of, histogram } = selected;
  const title = `${of.subject || "Recording"}: ${of.figure.replace(/\.[^.]+$/, "")}`;
  return (
    <section>
      <h3>{title}</h3>
      {histogram === null ? (
        <p class="muted">This figure is not part of a distribution.</p>
      ) : (
        <OverlaidHistogram label={title} of={histogram} />
      )}
    </section>
  );
}
