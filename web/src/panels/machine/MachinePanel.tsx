/** State machine of an active object, as recorded in the trace. */

import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { StateMachine } from "../../session/wire";
import { isActiveObject } from "../../state/contexts";
import { step } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { classProperty } from "../../timeline/palette";
import { DiagramView } from "../diagrams/DiagramView";
import { type DiagramFormat, SaveAs, stemOf } from "../diagrams/SaveAs";
import type { SafeSvg } from "../diagrams/safe-svg";
import { useRenderedGraph } from "../diagrams/useRenderedGraph";
import { useAnswer } from "../useAnswer";
import { machineStyles } from "./machine-styles";
import { selectedMachine, selectMachine } from "./selected-machine";
import { stateBoxes } from "./state-boxes";
import { stateAt, useMachineProbe } from "./useMachineProbe";
import "../panel.css";
import "../diagrams/diagrams.css";

/** Gives states the colours that they have in the timeline. */
function colourStates(
  trace: TraceState,
  picture: SafeSvg,
  machine: StateMachine | undefined,
): Map<number, Element> {
  // The titles are Graphviz's names of nodes and edges.
  for (const title of picture.svg.querySelectorAll("title")) title.remove();
  if (machine === undefined) return new Map();
  const boxes = stateBoxes(picture.svg, machine);
  for (const [number, box] of boxes) {
    const state = machine.states[number];
    const name = trace.overview.classes.find(({ code }) => code === state?.class)?.name;
    box.setAttribute("data-state", String(number));
    if (name !== undefined && box instanceof SVGElement) {
      box.style.setProperty("--own", `var(${classProperty(name)})`);
    }
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = `${state?.name ?? ""}: go to the next entry`;
    box.prepend(title);
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
      onChange={(event) => {
        selectMachine(trace, Number(event.currentTarget.value));
      }}
    >
      {all.map(({ name, number }) => (
        <option key={number} value={number}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function MachinePanel({ trace }: { trace: TraceState }) {
  const context = selectedMachine(trace);
  const { answer, error } = useAnswer(
    trace,
    { query: "machine", context, format: "dot" },
    trace.frequencyHz.value,
  );
  const drawn = useRenderedGraph(answer?.text);
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
  const goTo = (state: number, direction: "next" | "previous") => {
    const by = { mode: "state", context, state } as const;
    trace.stepMode.value = by;
    void step(trace, direction, by);
  };
  const by = { mode: "transition", context } as const;
  const text = (format: "dot" | "mermaid") => async () =>
    (await trace.client.query<"machine">({ query: "machine", context, format })).text;
  const formats: DiagramFormat[] = [
    {
      title: "SVG image",
      extension: "svg",
      type: "image/svg+xml",
      make: () => drawn?.text ?? "",
    },
    { title: "DOT (Graphviz)", extension: "dot", type: "text/vnd.graphviz", make: text("dot") },
    { title: "Mermaid", extension: "mmd", type: "text/plain", make: text("mermaid") },
  ];
  const name = trace.overview.contexts[context]?.name ?? "?";
  const problem = error ?? drawn?.error ?? null;
  return (
    <div class="panel full diagram-panel">
      <div class="row">
        <MachinePicker trace={trace} context={context} />
        <button
          type="button"
          title="Last transition before the selected event"
          onClick={() => void step(trace, "previous", by)}
        >
          Previous transition
        </button>
        <button
          type="button"
          title="First transition after the selected event"
          onClick={() => void step(trace, "next", by)}
        >
          Next transition
        </button>
      </div>
      {problem !== null && <p class="problem">{problem}</p>}
      {answer !== null && answer.skipped > 0 && (
        <p class="nothing">
          The machine has {answer.skipped} states and transitions: too many for a diagram.
        </p>
      )}
      {answer !== null && answer.skipped === 0 && answer.shown === 0 && (
        <p class="nothing">No recorded states of {name}.</p>
      )}
      {answer !== null && answer.shown > 0 && drawn === null && <p class="nothing">Rendering…</p>}
      {picture !== null && answer !== null && answer.shown > 0 && (
        <DiagramView
          label={`State machine of ${name}`}
          picture={picture}
          styles={machineStyles()}
          mark={mark}
          fit
          pick={(target) => {
            const state = target.closest("[data-state]")?.getAttribute("data-state");
            if (state != null) goTo(Number(state), "next");
          }}
        >
          <SaveAs name={`${stemOf(trace.overview.name)}-${name}`} formats={formats} />
          <span class="muted diagram-note">{now.value?.text ?? ""}</span>
        </DiagramView>
      )}
    </div>
  );
}
