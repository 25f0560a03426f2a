/** Legend of the bar colours. */

import type { Lane } from "../../session/wire";
import type { TraceState } from "../../state/trace";
import { Role, rolesOf, STATE } from "../../timeline/classes";
import type { Palette } from "../../timeline/palette";
import type { Surface } from "../../timeline/surface/surface";
import { Sample } from "./Sample";
import { drawBarSample } from "./samples";

const CLASS_TEXTS: Record<string, string> = {
  unknown: "unknown",
  ready: "ready, not running",
  running: "executes",
  thread: "core: thread",
  isr: "core: interrupt",
  "nested-isr": "core: nested interrupt",
  idle: "core: idle",
  initialize: "core: initialisation",
  interrupted: "interrupted thread or service routine",
  kernel: "core: interrupt or scheduler, outside any service routine",
  "interrupts-off": "interrupts off",
  marker: "span of a point of interest",
  "endless-marker": "the same, without an end although a later one has begun",
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

/** Sample of a class of bars, the same function for the same class. */
const samples = new Map<string, (surface: Surface, colours: Palette) => void>();

function sampleOf(code: number, name: string) {
  let draw = samples.get(name);
  if (draw === undefined) {
    const role = rolesOf([{ code, name }])[code] ?? Role.nothing;
    draw = (surface, colours) =>
      drawBarSample(
        surface,
        colours,
        role,
        role === Role.thread ? (colours.contexts[0] ?? "") : colours.lane(name),
      );
    samples.set(name, draw);
  }
  return draw;
}

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
            <Sample draw={sampleOf(code, name)} />
            {CLASS_TEXTS[name] ?? `waiting: ${name.replaceAll("-", " ")}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
