/** The states of a machine in the picture that Graphviz made of it. */

import type { Machine } from "../../session/wire";

/** Names of the session may be cut: they end so then. */
const ELLIPSIS = "…";

function isCalled(drawn: string, name: string): boolean {
  return (
    drawn === name || (name.endsWith(ELLIPSIS) && drawn.startsWith(name.slice(0, -ELLIPSIS.length)))
  );
}

/** The text of a box's first line, which is the name. */
function titleOf(group: Element): string {
  return group.querySelector(":scope > text")?.textContent?.trim() ?? "";
}

/** The box of each state in which the machine stayed, by the state's number. */
export function boxesOf(svg: Element, machine: Machine): Map<number, Element> {
  const boxes = [...svg.querySelectorAll("g.node, g.cluster")].map((box) => ({
    box,
    title: titleOf(box),
  }));
  const found = new Map<number, Element>();
  machine.states.forEach(({ name }, number) => {
    const at = boxes.findIndex(({ title }) => isCalled(title, name));
    // Of states of the same name, each has a box of its own.
    const [one] = at < 0 ? [] : boxes.splice(at, 1);
    if (one !== undefined) found.set(number, one.box);
  });
  return found;
}
