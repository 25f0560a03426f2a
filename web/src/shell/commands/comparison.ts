/** Commands that compare two recordings. */

import {
  type Comparison,
  comparable,
  endComparison,
  shownComparison,
} from "../../state/comparison/comparison";
import { active } from "../../state/viewer";
import { openDialog } from "../dialogs/open-dialog";
import { type Command, commandsOf } from "./command";

const { plain } = commandsOf("Comparison");
const isApplicable = () => shownComparison.value !== null;

const ofComparison = (act: (comparison: Comparison) => void) => () => {
  const comparison = shownComparison.peek();
  if (comparison) act(comparison);
};

function alignSelected(comparison: Comparison): void {
  const [before, after] = comparison.sides.map(({ selected }) => selected.peek());
  if (before && after) comparison.align([before, after]);
}

export const comparisonCommands: readonly Command[] = [
  plain(
    "compare",
    "Compare with…",
    ["Shift+X"],
    () => {
      openDialog.value = "compare";
    },
    {
      enabled: () =>
        active.value !== null &&
        comparable.value.length > 1 &&
        comparable.value.includes(active.value),
      hint: "Open another complete recording first.",
    },
  ),
  plain(
    "link-compared",
    "Link the compared recordings",
    ["Shift+L"],
    ofComparison(({ isLinked }) => {
      isLinked.value = !isLinked.peek();
    }),
    { isApplicable, pressed: () => shownComparison.value?.isLinked.value === true },
  ),
  plain(
    "align-starts",
    "Align the starts of the compared recordings",
    [],
    ofComparison((comparison) => comparison.alignStarts()),
    { isApplicable },
  ),
  plain(
    "align-selected",
    "Align the selected events of the compared recordings",
    ["Shift+Y"],
    ofComparison(alignSelected),
    {
      isApplicable,
      enabled: () =>
        shownComparison.value?.sides.every(({ selected }) => selected.value !== null) === true,
      hint: "Select an event in each recording first.",
    },
  ),
  plain("end-comparison", "End the comparison", [], endComparison, { isApplicable }),
];
