/** Step modes as choices. */

import type { StepBy } from "../../session/wire";
import type { TraceState } from "../../state/trace";

/** A choice. */
export interface StepModeChoice {
  name: string;
  text: string;
}

/** Choices under a heading, which is empty for the first group. */
export interface ModeGroup {
  title: string;
  modes: StepModeChoice[];
}

/** Name of a step mode. */
export function stepModeName(by: StepBy): string {
  switch (by.mode) {
    case "context":
      return `context ${by.context}`;
    case "object":
      return `object ${by.object}`;
    case "kind":
      return `kind ${by.kind}`;
    case "transition":
      return `transition ${by.context}`;
    case "state":
      return `state ${by.context}.${by.state}`;
    default:
      return by.mode;
  }
}

/** Step mode of a name; `null` if invalid. */
export function stepModeOf(trace: TraceState, name: string): StepBy | null {
  const [mode, text] = name.split(" ");
  const number = Number(text);
  switch (mode) {
    case "event":
    case "switch":
      return { mode };
    case "context":
      return { mode, context: number };
    case "object":
      return { mode, object: number };
    case "kind":
      return { mode, kind: number };
    case "transition":
      return { mode, context: number };
    case "state": {
      const [context = 0, state = 0] = (text ?? "").split(".").map(Number);
      return { mode, context, state };
    }
    case "search": {
      const searched = trace.searchResult.peek();
      return searched === null || searched.error !== null
        ? null
        : { mode, search: searched.search };
    }
    default:
      return null;
  }
}

/** All step modes of a trace. */
export function stepModes(trace: TraceState): ModeGroup[] {
  const { contexts, objects, kinds, machines } = trace.overview;
  const searched = trace.searchResult.value;
  const first: StepModeChoice[] = [
    { name: "event", text: "Event" },
    { name: "switch", text: "Context switch" },
  ];
  if (searched !== null && searched.error === null)
    first.push({ name: "search", text: "Search hit" });
  return [
    { title: "", modes: first },
    {
      title: "Context",
      modes: contexts.map(({ name }, number) => ({ name: `context ${number}`, text: name })),
    },
    ...machines.map(({ context, states }) => ({
      title: `State machine of ${contexts[context]?.name ?? "?"}`,
      modes: [
        { name: `transition ${context}`, text: "Any transition" },
        ...states.map(({ name }, state) => ({
          name: `state ${context}.${state}`,
          text: `State ${name}`,
        })),
      ],
    })),
    {
      title: "Object",
      modes: objects.map(({ class: what, name }, number) => ({
        name: `object ${number}`,
        text: `${name} (${what})`,
      })),
    },
    {
      title: "Event kind",
      modes: kinds.map(({ id, name }) => ({ name: `kind ${id}`, text: name })),
    },
  ];
}
