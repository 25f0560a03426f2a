/** Legend of the bar colours. */

import type { Lane } from "../../session/wire";
import type { TraceState } from "../../state/trace";
import { STATE } from "../../timeline/classes";
import { classProperty } from "../../timeline/palette";

const CLASS_TEXTS: Record<string, string> = {
  unknown: "unknown",
  ready: "ready, not running",
  running: "executes",
  thread: "core: thread",
  isr: "core: interrupt",
  "nested-isr": "core: nested interrupt",
  idle: "core: idle",
  initialize: "core: initialisation",
  interrupted: "interrupted service routine",
  kernel: "core: interrupt or scheduler, outside any service routine",
  "interrupts-off": "interrupts off",
  marker: "span of a point of interest",
  "queued-item": "pipeline: an item is queued",
  item: "pipeline: the stage has an item",
  "late-item": "pipeline: the item is late, or will be dropped",
  "log-error": "text log: the last line is an error",
  "log-warning": "text log: the last line is a warning",
  "log-info": "text log: the last line is information",
  "log-debug": "text log: the last line is for debugging",
  "log-line": "text log: a line without a level",
  suspended: "suspended",
  sleep: "sleeps",
  completed: "completed",
  terminated: "terminated",
};

/** The lanes of classes that only declarations and options add. */
const LANES: Record<string, Lane["kind"]> = {
  "queued-item": "pipeline-stage",
  item: "pipeline-stage",
  "late-item": "pipeline-stage",
  "log-error": "text-log",
  "log-warning": "text-log",
  "log-info": "text-log",
  "log-debug": "text-log",
  "log-line": "text-log",
};

export function Classes({ trace }: { trace: TraceState }) {
  // State colours depend on the machine: States.
  const kinds = new Set(trace.overview.lanes.map(({ kind }) => kind));
  const classes = trace.overview.classes.filter(({ name }) => {
    if (name === "nothing" || name.startsWith(STATE)) return false;
    const lane = LANES[name];
    return lane === undefined || kinds.has(lane);
  });
  return (
    <section>
      <h3>Bars</h3>
      <ul class="plain-list classes">
        {classes.map(({ code, name }) => (
          <li key={code}>
            <span
              class="swatch"
              aria-hidden="true"
              style={{ background: `var(${classProperty(name)})` }}
            />
            {CLASS_TEXTS[name] ?? `waiting: ${name.replaceAll("-", " ")}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
