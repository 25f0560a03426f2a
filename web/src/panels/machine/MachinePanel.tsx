/** State machine of an active object, as recorded in the trace. */

import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { StateMachine } from "../../session/wire";
import { Button, Options } from "../../shell/controls";
import { isActiveObject } from "../../state/contexts";
import { follow, step } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { classProperty } from "../../timeline/palette";
import { GraphDiagram } from "../diagrams/GraphDiagram";
import type { SafeSvg } from "../diagrams/safe-svg";
import { graphStyles } from "../diagrams/styles";
import { setTitle, useRenderedGraph } from "../diagrams/useRenderedGraph";
import { useAnswer } from "../useAnswer";
import { selectedMachine, selectMachine } from "./selected-machine";
import { stateBoxes } from "./state-boxes";
import { stateAt, useMachineProbe } from "./useMachineProbe";
import "../panel.css";
import "../diagrams/diagrams.css";

/** Styles of the machine on the page. */
const styles = graphStyles(`
.node path, .node polygon, .node ellipse { fill: var(--surface-sunken); stroke: var(--line-strong); }
.node:not(:has(text)) ellipse { fill: var(--text-muted); stroke: var(--text-muted); }
.cluster path, .cluster polygon { fill: none; stroke: var(--line-strong); }
.node[data-state] { cursor: pointer; }
.node[data-state] path, .node[data-state] polygon {
  fill: color-mix(in srgb, var(--own) 34%, var(--surface)); stroke: var(--own); stroke-width: 1.5;
}
.cluster[data-state] > path { stroke: var(--own); stroke-width: 1.5; }
[data-state]:hover > text { text-decoration: underline; }
[data-now] > path, [data-now] > g > path, [data-now] > polygon { stroke: var(--lane-selected) !important; stroke-width: 3 !important; }
`);

/** Gives states the colours that they have in the timeline. */
function colourStates(
  trace: TraceState,
  picture: SafeSvg,
  machine: StateMachine | undefined,
): Map<number, Element> {
  if (machine === undefined) return new Map();
  const boxes = stateBoxes(picture.svg, machine);
  for (const [number, box] of boxes) {
    const state = machine.states[number];
    const name = trace.overview.classes.find(({ code }) => code === state?.class)?.name;
    box.setAttribute("data-state", String(number));
    if (name !== undefined && box instanceof SVGElement) {
      box.style.setProperty("--own", `var(${classProperty(name)})`);
    }
    setTitle(box, `${state?.name ?? ""}: go to the next entry`);
  }
  return boxes;
}

function MachinePicker({ trace, context }: { trace: TraceState; context: number }) {
  const all = trace.overview.contexts
    .map((one, number) => ({ ...one, number }))
    .filter(isActiveObject);
  return (
    <select
      aria-label="State machine of"
      value={context}
      onChange={(event) => selectMachine(trace, Number(event.currentTarget.value))}
    >
      <Options of={all.map(({ name, number }) => [number, name])} />
    </select>
  );
}

export function MachinePanel({ trace }: { trace: TraceState }) {
  const context = selectedMachine(trace);
  const asked = useAnswer(
    trace,
    { query: "machine", context, format: "dot" },
    trace.frequencyHz.value,
  );
  const drawn = useRenderedGraph(asked.answer?.text);
  const machine = trace.overview.machines.find((one) => one.context === context);
  const picture = drawn?.picture ?? null;
  const boxes = useMemo(
    () => (picture === null ? null : colourStates(trace, picture, machine)),
    [picture, machine],
  );
  const now = useMachineProbe(trace, context);
  const mark = useComputed(() => {
    const current = stateAt(machine, now.value);
    return () => {
      for (const [number, box] of boxes ?? []) box.toggleAttribute("data-now", number === current);
      return current === null ? null : (boxes?.get(current) ?? null);
    };
  });
  const by = { mode: "transition", context } as const;
  const name = trace.overview.contexts[context]?.name ?? "?";
  return (
    <div class="panel full diagram-panel">
      <div class="row">
        <MachinePicker trace={trace} context={context} />
        <Button
          title="Last transition before the selected event"
          onClick={() => void step(trace, "previous", by)}
        >
          Previous transition
        </Button>
        <Button
          title="First transition after the selected event"
          onClick={() => void step(trace, "next", by)}
        >
          Next transition
        </Button>
      </div>
      <GraphDiagram
        trace={trace}
        label={`State machine of ${name}`}
        file={name}
        asked={asked}
        drawn={drawn}
        make={async (format) =>
          (await trace.client.query<"machine">({ query: "machine", context, format })).text
        }
        tooMany={`The machine has ${asked.answer?.skipped} states and transitions`}
        nothing={`No recorded states of ${name}.`}
        styles={styles()}
        mark={mark}
        pick={(target) => {
          const state = target.closest("[data-state]")?.getAttribute("data-state");
          if (state != null) follow(trace, { mode: "state", context, state: Number(state) });
        }}
      >
        <span class="muted diagram-note">{now.value?.text ?? ""}</span>
      </GraphDiagram>
    </div>
  );
}
