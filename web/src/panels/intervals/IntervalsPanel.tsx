/** User-defined intervals: filters, figures, histogram and the longest ones. */

import { useSignal } from "@preact/signals";
import { Icon } from "../../shell/Icon";
import {
  intervalsKey,
  namedIntervals,
  type ShownIntervals,
  withIntervals,
} from "../../state/intervals";
import type { TraceState } from "../../state/trace";
import { intervalsProperty } from "../../timeline/intervals/bars";
import { ReportTable } from "../reports/views/ReportTable";
import { useAnswer } from "../useAnswer";
import { IntervalForm } from "./IntervalForm";
import "../panel.css";
import "../reports/reports.css";
import "./intervals.css";

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
  const [figures, longest] = answer;
  return (
    <div class="report interval-figures" aria-busy={isWaiting}>
      {figures && <ReportTable trace={trace} table={{ ...figures, of: name }} />}
      {longest && (
        <section>
          <h3>{longest.title}</h3>
          <ReportTable trace={trace} table={longest} />
        </section>
      )}
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
