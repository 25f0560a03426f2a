/** Scope of a report. */

import { isThread, threadNoun } from "../../state/contexts";
import type { TraceState } from "../../state/trace";
import { type ReportSelection, reportSelection, selectReport } from "./report-selection";

const SCOPES: readonly { part: ReportSelection["scope"]; title: string }[] = [
  { part: "whole", title: "Whole trace" },
  { part: "visible", title: "Visible" },
  { part: "range", title: "Range" },
];

function ScopeButtons({ trace }: { trace: TraceState }) {
  const { scope } = reportSelection(trace).value;
  const hasRange = trace.range.value !== null;
  return (
    <fieldset class="segments" aria-label="Interval">
      {SCOPES.map(({ part: one, title }) => (
        <button
          key={one}
          type="button"
          aria-pressed={scope === one}
          disabled={one === "range" && !hasRange && scope !== "range"}
          title={one === "range" ? "The selected range of the timeline" : title}
          onClick={() => selectReport(trace, { scope: one })}
        >
          {title}
        </button>
      ))}
    </fieldset>
  );
}

function ThreadPicker({ trace }: { trace: TraceState }) {
  const { threads } = reportSelection(trace).value;
  const all = trace.overview.contexts
    .map((context, number) => ({ ...context, number }))
    .filter(isThread);
  const word = threadNoun(trace.overview);
  const toggle = (number: number, isWanted: boolean) => {
    const others = threads.filter((one) => one !== number);
    selectReport(trace, { threads: isWanted ? [...others, number] : others });
  };
  return (
    <details class="threads">
      <summary>
        {threads.length === 0 ? `All ${word}` : `${threads.length} of ${all.length} ${word}`}
      </summary>
      <div class="thread-list">
        {threads.length > 0 && (
          <button type="button" class="link" onClick={() => selectReport(trace, { threads: [] })}>
            all
          </button>
        )}
        {all.slice(0, 500).map(({ name, number }) => (
          <label key={number}>
            <input
              type="checkbox"
              checked={threads.includes(number)}
              onChange={(event) => toggle(number, event.currentTarget.checked)}
            />{" "}
            {name}
          </label>
        ))}
      </div>
    </details>
  );
}

export function Scope({ trace }: { trace: TraceState }) {
  const { kind, core, context } = reportSelection(trace).value;
  const { cores, contexts } = trace.overview;
  const number = (value: string) => (value === "" ? null : Number(value));
  return (
    <div class="row scope">
      <ScopeButtons trace={trace} />
      {cores.length > 1 && (
        <select
          aria-label="Core"
          value={core ?? ""}
          onChange={(event) => selectReport(trace, { core: number(event.currentTarget.value) })}
        >
          <option value="">All cores</option>
          {cores.map((one) => (
            <option key={one} value={one}>
              Core {one}
            </option>
          ))}
        </select>
      )}
      {kind === "services" && (
        <select
          aria-label="Services of context"
          value={context ?? ""}
          onChange={(event) => selectReport(trace, { context: number(event.currentTarget.value) })}
        >
          <option value="">System</option>
          {contexts.map(({ name }, one) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
      <ThreadPicker trace={trace} />
    </div>
  );
}
