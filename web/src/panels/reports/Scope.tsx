/** Scope of a report. */

import { Options, Segments } from "../../shell/controls";
import { isThread, threadNoun } from "../../state/contexts";
import type { TraceState } from "../../state/trace";
import { ContextPicker } from "../ContextPicker";
import { reportSelection, selectReport } from "./report-selection";

const SCOPES = [
  { key: "whole", title: "Whole trace", hint: "Whole trace" },
  { key: "visible", title: "Visible", hint: "Visible" },
  { key: "range", title: "Range", hint: "The selected range of the timeline" },
] as const;

/** What cycles can begin with; the chosen one stays while another part has no cycles of it. */
function anchorsWith(anchors: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || anchors.includes(chosen) ? anchors : [chosen, ...anchors];
}

export function Scope({ trace, anchors }: { trace: TraceState; anchors: readonly string[] }) {
  const { kind, scope, core, context, anchor, threads } = reportSelection(trace).value;
  const { cores, contexts } = trace.overview;
  const number = (value: string) => (value === "" ? null : Number(value));
  const hasRange = trace.range.value !== null || scope === "range";
  return (
    <>
      <Segments
        label="Interval"
        of={SCOPES.map((one) => ({ ...one, disabled: one.key === "range" && !hasRange }))}
        chosen={scope}
        choose={(chosen) => selectReport(trace, { scope: chosen })}
      />
      {cores.length > 1 && (
        <select
          aria-label="Core"
          value={core ?? ""}
          onChange={(event) => selectReport(trace, { core: number(event.currentTarget.value) })}
        >
          <option value="">All cores</option>
          <Options of={cores.map((one) => [one, `Core ${one}`])} />
        </select>
      )}
      {kind === "services" && (
        <select
          aria-label="Services of context"
          value={context ?? ""}
          onChange={(event) => selectReport(trace, { context: number(event.currentTarget.value) })}
        >
          <option value="">System</option>
          <Options of={contexts.map(({ name }, one) => [one, name])} />
        </select>
      )}
      {kind === "cycles" && (
        <select
          aria-label="Cycles begin with"
          value={anchor ?? ""}
          onChange={(event) => selectReport(trace, { anchor: event.currentTarget.value || null })}
        >
          <option value="">Most regular</option>
          <Options of={anchorsWith(anchors, anchor).map((name) => [name, name])} />
        </select>
      )}
      <ContextPicker
        trace={trace}
        of={isThread}
        noun={threadNoun(trace.overview)}
        chosen={threads}
        choose={(chosen) => selectReport(trace, { threads: chosen })}
      />
    </>
  );
}
