/** Maps the states of a machine to the boxes of the rendered graph. */

import type { StateMachine } from "../../session/wire";

/** Marks names truncated by the session. */
const ELLIPSIS = "…";

function hasName(drawn: string, name: string): boolean {
  return (
    drawn === name || (name.endsWith(ELLIPSIS) && drawn.startsWith(name.slice(0, -ELLIPSIS.length)))
  );
}

/** First line of a box, which is the name. */
function titleOf(group: Element): string {
  return group.querySelector(":scope > text")?.textContent?.trim() ?? "";
}

/** Boxes of the states by state number. */
export function stateBoxes(svg: Element, machine: StateMachine): Map<number, Element> {
  const boxes = [...svg.querySelectorAll("g.node, g.cluster")].map((box) => ({
    box,
    title: titleOf(box),
  }));
  const found = new Map<number, Element>();
  machine.states.forEach(({ name }, number) => {
    const at = boxes.findIndex(({ title }) => hasName(title, name));
    // States with the same name have a box each.
    const [one] = at < 0 ? [] : boxes.splice(at, 1);
    if (one !== undefined) found.set(number, one.box);
  });
  return found;
}
