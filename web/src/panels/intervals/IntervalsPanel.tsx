/** User-defined intervals: filters, figures, histogram and the longest ones. */

import { useSignal } from "@preact/signals";
import { Button, IconButton, set } from "../../shell/controls";
import { messageOf } from "../../state/format";
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

const figuresQuery = ({ name, filters, deadlineTicks }: ShownIntervals) =>
  ({
    query: "intervals",
    filters,
    name,
    deadline: deadlineTicks,
    start: null,
    end: null,
  }) as const;

function Figures({ trace, of }: { trace: TraceState; of: ShownIntervals }) {
  const { answer, error, isWaiting } = useAnswer(trace, figuresQuery(of), trace.frequencyHz.value);
  if (error !== null)
    return (
      <pre class="problem" role="alert">
        {error}
      </pre>
    );
  if (answer === null) return null;
  const [figures, longest] = answer;
  return (
    <div class="report" aria-busy={isWaiting}>
      {figures && <ReportTable trace={trace} table={{ ...figures, of: of.name }} />}
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
      await trace.client.query(figuresQuery(added));
      problem.value = null;
      chosen.value = intervalsKey(added);
      trace.intervals.value = withIntervals(trace.intervals.peek(), added);
    } catch (error) {
      problem.value = messageOf(error);
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
              <Button
                class="plain name"
                aria-pressed={one === shown}
                onClick={set(chosen, intervalsKey(one))}
              >
                {one.name}
              </Button>
              <IconButton
                icon="close"
                label={`Remove ${one.name}`}
                onClick={() => {
                  trace.intervals.value = trace.intervals.peek().filter((other) => other !== one);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {shown && <Figures key={intervalsKey(shown)} trace={trace} of={shown} />}
    </div>
  );
}
