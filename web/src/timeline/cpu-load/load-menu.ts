/** Menu of the contexts of the CPU load, for those who do not click on bands. */

import type { ContextMenuContents } from "../../shell/context-menu/context-menu";
import { loadSelection } from "../../state/load-selection";
import type { TimelineView } from "../view";
import { loadTitle } from "./facts";
import { selectLoad } from "./rows";
import { keyOf, stacked } from "./stack";

/** `scroll` sets the scroll position of the lanes. */
export function loadMenu(
  view: TimelineView,
  core: number | null,
  scroll: (top: number) => void,
): ContextMenuContents {
  const { trace } = view;
  const axis = trace.axis.peek();
  const load = view.cpuLoads.get(core, axis);
  const title = loadTitle(core, axis);
  const selected = loadSelection(trace).peek()?.key ?? null;
  const items =
    load === null
      ? [{ title: "Not loaded yet", run: () => undefined, disabled: true }]
      : stacked(load, null).map((of) => ({
          title: of.name,
          chosen: keyOf(of) === selected,
          run: () => selectLoad(view, of, core, scroll),
        }));
  return {
    label: title,
    heading: title,
    facts: [],
    sections: [{ title: "Select the band of", items }],
  };
}
