/** Two recordings one above the other, and the difference of their loads. */

import type { Comparison } from "../../state/comparison/comparison";
import type { Side } from "../../state/comparison/mirror";
import { plural } from "../../state/format";
import { activeId } from "../../state/viewer";
import { Timeline } from "../../timeline/Timeline";
import { HealthBanner } from "../HealthBanner";
import { ComparisonBar } from "./ComparisonBar";
import { LoadDifference } from "./LoadDifference";
import "./comparison.css";

const SIDES = [
  { side: 0, title: "Before", mark: "before" },
  { side: 1, title: "After", mark: "after" },
] as const;

export function ComparedTimelines({ comparison }: { comparison: Comparison }) {
  const [before, after] = SIDES;
  return (
    <div class="compared">
      <ComparisonBar comparison={comparison} />
      <ComparedTimeline comparison={comparison} {...before} />
      <LoadDifference comparison={comparison} />
      <ComparedTimeline comparison={comparison} {...after} />
    </div>
  );
}

interface ComparedTimelineProps {
  comparison: Comparison;
  side: Side;
  title: string;
  mark: string;
}

/** A side; panels and commands are about the one that the user works with. */
function ComparedTimeline({ comparison, side, title, mark }: ComparedTimelineProps) {
  const trace = comparison.sides[side];
  const { name, events } = trace.overview;
  const isActive = trace.id === activeId.value;
  const activate = () => {
    activeId.value = trace.id;
  };
  return (
    <section
      class="compared-side"
      aria-label={`${title}: ${name}`}
      data-active={isActive ? "" : undefined}
      onPointerDownCapture={activate}
      onFocusCapture={activate}
    >
      <h2 class="compared-title">
        <i class={mark} aria-hidden="true" /> {title} <b>{name}</b>{" "}
        <span class="muted">{plural(events, "event")}</span>
      </h2>
      <HealthBanner trace={trace} label={`Trace health: ${title} ${name}`} />
      <div class="compared-timeline">
        <Timeline key={`${trace.serial}-${trace.reloads.value}`} trace={trace} />
      </div>
    </section>
  );
}
