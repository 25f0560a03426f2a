/** What is compared, and how the two recordings are linked. */

import type { Comparison } from "../../state/comparison/comparison";
import { durationText, shownClock } from "../../state/format";
import { command } from "../commands";
import { Button, Check, checkOf, IconButton } from "../controls";

/** How the two are linked, or why not. */
export function linkText(comparison: Comparison): string {
  const [before, after] = comparison.sides;
  if (!comparison.isLinked.value) return "They move on their own.";
  if (before.axis.value === "index") return "Linked event by event.";
  const unknown = comparison.sides.filter(({ frequencyHz }) => frequencyHz.value === null);
  if (unknown.length === 2) return "Both clocks are unknown: linked tick by tick.";
  const [one] = unknown;
  if (one !== undefined)
    return `The clock of ${one.overview.name} is unknown: not linked. Set it (C), or switch to the sequential view (T).`;
  const [from, to] = comparison.anchors.value;
  const [own, other] = [
    durationText(from.time, shownClock(before)),
    durationText(to.time, shownClock(after)),
  ];
  return `Linked in time: ${own} beside ${other}.`;
}

export function ComparisonBar({ comparison }: { comparison: Comparison }) {
  const aligns = command("align-selected");
  return (
    <section class="comparison-bar" aria-label="Comparison">
      <Check
        {...checkOf(comparison.isLinked)}
        title="Pan, zoom, pointer and selection move together"
      >
        Linked
      </Check>
      <Button onClick={command("align-starts").run} title="Align the first events">
        Align starts
      </Button>
      <Button
        onClick={aligns.run}
        disabled={aligns.enabled?.() === false}
        title="Align the selected events. To select one on each side, switch Linked off before"
      >
        Align selected events
      </Button>
      <span class="muted" role="status">
        {linkText(comparison)}
      </span>
      <IconButton icon="close" label="End the comparison" onClick={command("end-comparison").run} />
    </section>
  );
}
