/** User-defined intervals: filters, figures, histogram and the longest ones. */

import { useSignal } from "@preact/signals";
import type { IntervalEntry, IntervalRow } from "../../session/reports";
import { Icon } from "../../shell/Icon";
import { countText, durationText, shownClock } from "../../state/format";
import {
  intervalsKey,
  namedIntervals,
  type ShownIntervals,
  withIntervals,
} from "../../state/intervals";
import { showTime } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { intervalsProperty } from "../../timeline/intervals/bars";
import { labelOf, reportColumns, tableOf } from "../reports/views/columns";
import { type Figure, FigureList } from "../reports/views/FigureList";
import { Histogram } from "../reports/views/Histogram";
import { SortableTable } from "../table/SortableTable";
import { useAnswer } from "../useAnswer";
import { IntervalForm } from "./IntervalForm";
import "../panel.css";
import "../reports/reports.css";
import "./intervals.css";

/** Selects the start of an interval and zooms to it. */
async function goTo(trace: TraceState, { event, start_ticks: start, ticks }: IntervalEntry) {
  try {
    if (await trace.select(event)) await showTime(trace, start, start + ticks);
  } catch (error) {
    showError(error);
  }
}

function figuresOf(trace: TraceState, row: IntervalRow): Figure[] {
  const time = (ticks: number | null | undefined) =>
    ticks === null || ticks === undefined ? null : durationText(ticks, shownClock(trace));
  const { duration } = row;
  const counts = [
    "late",
    "open",
    "lost",
    "repeated_starts",
    "unmatched_ends",
    "start_unknown",
    "unpaired",
  ] as const;
  return [
    { name: labelOf("intervals", "intervals"), value: row.intervals },
    ...counts
      .filter((key) => row[key] > 0 || (key === "late" && row.deadline_ticks !== null))
      .map((key) => ({ name: labelOf("intervals", key), value: row[key], isPart: true })),
    { name: "Measured", value: duration?.count ?? 0 },
    { name: "Min", value: time(duration?.min) },
    { name: "Mean", value: time(duration?.mean) },
    { name: "Median", value: time(duration?.p50) },
    { name: labelOf("intervals", "p95_ticks"), value: time(row.p95_ticks) },
    { name: "P99", value: time(duration?.p99) },
    { name: "Max", value: time(duration?.max) },
    { name: labelOf("intervals", "standard_deviation"), value: time(row.standard_deviation) },
  ];
}

function Figures({ trace, of }: { trace: TraceState; of: ShownIntervals }) {
  const { name, filters, deadlineTicks } = of;
  const scope = { start: null, end: null };
  const { answer, error, isWaiting } = useAnswer(
    trace,
    { query: "intervals", filters, name, deadline_ticks: deadlineTicks, ...scope },
    trace.frequencyHz.value,
  );
  if (error !== null)
    return (
      <pre class="problem" role="alert">
        {error}
      </pre>
    );
  if (answer === null) return null;
  const row = answer as unknown as IntervalRow;
  const { title, empty } = tableOf("intervals.*.longest");
  const ticksCell = (entry: IntervalEntry) => (
    <button
      type="button"
      class="link"
      title={`Zoom to the interval from event ${countText(entry.event)} to ${countText(entry.end_event)}`}
      onClick={() => void goTo(trace, entry)}
    >
      {durationText(entry.ticks, shownClock(trace))}
    </button>
  );
  return (
    <div class="report interval-figures" aria-busy={isWaiting}>
      <FigureList label={`Figures of ${name}`} figures={figuresOf(trace, row)} />
      {row.duration && <Histogram trace={trace} label={`Duration of ${name}`} of={row.duration} />}
      <section>
        <h3>{title}</h3>
        <SortableTable
          label={title}
          columns={reportColumns<IntervalEntry, "intervals.*.longest">(
            trace,
            "intervals.*.longest",
            { ticks: { show: ticksCell } },
          )}
          rows={row.longest}
          empty={`${empty}.`}
        />
      </section>
    </div>
  );
}

export function IntervalsPanel({ trace }: { trace: TraceState }) {
  const chosen = useSignal<string | null>(null);
  const problem = useSignal<string | null>(null);
  const all = trace.intervals.value;
  const shown = all.find((one) => intervalsKey(one) === chosen.value) ?? all.at(-1);
  const add = async (added: ShownIntervals) => {
    try {
      const { filters, name } = added;
      await trace.client.query({
        query: "intervals",
        filters,
        name,
        deadline_ticks: null,
        start: null,
        end: null,
      });
      problem.value = null;
      chosen.value = intervalsKey(added);
      trace.intervals.value = withIntervals(trace.intervals.peek(), added);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <div class="panel intervals">
      <IntervalForm
        trace={trace}
        problem={problem.value}
        submit={(filters) => void add(namedIntervals(filters))}
      />
      {problem.value !== null && (
        <pre class="problem" role="alert">
          {problem.value}
        </pre>
      )}
      {all.length === 0 ? (
        <p class="nothing">
          An interval lasts from an event that the first filter selects to the next one that the
          second filter selects.
        </p>
      ) : (
        <ul class="plain-list" aria-label="Intervals">
          {all.map((one, number) => (
            <li key={intervalsKey(one)}>
              <span
                class="lane-swatch"
                style={{ background: `var(${intervalsProperty(number)})` }}
                aria-hidden="true"
              />
              <button
                type="button"
                class="plain name"
                aria-pressed={one === shown}
                onClick={() => {
                  chosen.value = intervalsKey(one);
                }}
              >
                {one.name}
              </button>
              <button
                type="button"
                class="plain"
                aria-label={`Remove ${one.name}`}
                onClick={() => {
                  trace.intervals.value = trace.intervals.peek().filter((other) => other !== one);
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {shown && <Figures key={intervalsKey(shown)} trace={trace} of={shown} />}
    </div>
  );
}
