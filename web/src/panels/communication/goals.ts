/** What a click on a node or an edge of a communication graph goes to. */

import type { Overview } from "../../session/wire";
import { countText } from "../../state/format";
import { setTitle } from "../diagrams/useRenderedGraph";

/** A place that an element of the graph stands for. */
export interface Goal {
  kind: "context" | "object" | "event";
  number: number;
}

const CLASS = /^(context|object|event)-(\d+)$/;

/** The goal of an element of the graph: its class has the number. */
export function goalOf(element: Element): Goal | null {
  for (const name of element.classList) {
    const [, kind, number] = CLASS.exec(name) ?? [];
    if (kind === "context" || kind === "object" || kind === "event")
      return { kind, number: Number(number) };
  }
  return null;
}

/** What a click does. */
function goalText({ contexts, objects }: Overview, { kind, number }: Goal): string {
  switch (kind) {
    case "context":
      return `Go to the next event of ${contexts[number]?.name ?? "?"}`;
    case "object":
      return `Go to the next event of ${objects[number]?.name ?? "?"}`;
    case "event":
      return `Go to the first of these events, ${countText(number)}`;
  }
}

/** Makes nodes and edges links, and says where they lead. */
export function markGoals(svg: SVGSVGElement, overview: Overview): void {
  for (const element of svg.querySelectorAll("g.node, g.edge")) {
    const goal = goalOf(element);
    if (goal === null) continue;
    element.toggleAttribute("data-goal", true);
    if (goal.kind === "context") element.classList.add("context");
    setTitle(element, goalText(overview, goal));
  }
}
