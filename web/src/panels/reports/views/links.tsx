/** Cells that lead to another view. */

import type { ComponentChildren } from "preact";
import type { Distribution, Link, TimeInterval } from "../../../session/reports";
import { Button } from "../../../shell/controls";
import { explainContext } from "../../../state/critical-path";
import { countText, durationText, shownClock } from "../../../state/format";
import { follow, showTime } from "../../../state/navigation";
import { showLane } from "../../../state/shown-lane";
import type { TraceState } from "../../../state/trace";
import { addGraph } from "../../graphs/selected-graphs";
import { showMachine } from "../../machine/selected-machine";

interface LinkAction {
  title: string;
  run: () => void;
}

/** What a click on a name does; `null` if the trace does not have what it names. */
function actionOf(trace: TraceState, link: Link): LinkAction | null {
  const { contexts, levels, objects } = trace.overview;
  switch (link.target) {
    case "event-kind":
      return {
        title: "Go to next",
        run: () => follow(trace, { mode: "kind", kind: link.id }),
      };
    case "object": {
      const level = levels.find(
        ({ class: what, name, object }) =>
          what === link.class &&
          (object === null ? name === link.text : objects[object]?.address === link.address),
      );
      return level === undefined
        ? null
        : {
            title: "Show level graph",
            run: () => addGraph(trace, { kind: "level", resource: level.resource }),
          };
    }
    case "active-object": {
      const context = contexts.findIndex(
        ({ kind, address, name }) =>
          kind === "active-object" && address === link.address && name === link.text,
      );
      return context < 0
        ? null
        : { title: "Show state machine", run: () => showMachine(trace, context) };
    }
  }
}

export function NameLink({ trace, link }: { trace: TraceState; link: Link }) {
  const action = actionOf(trace, link);
  if (action === null) return <>{link.text}</>;
  return (
    <Button class="link" title={action.title} onClick={action.run}>
      {link.text}
    </Button>
  );
}

/** The start of an interval; a click selects its event and zooms to it. */
export function IntervalLink({ trace, interval }: { trace: TraceState; interval: TimeInterval }) {
  const { start, end, event } = interval;
  const text = durationText(start, shownClock(trace));
  return (
    <Button
      class="link"
      title="Zoom to the interval"
      aria-label={`Zoom to the interval at ${text}`}
      onClick={() => {
        void (event === null ? Promise.resolve(true) : trace.select(event)).then(() =>
          showTime(trace, start, end),
        );
      }}
    >
      {text}
    </Button>
  );
}

interface LongestLinkProps {
  trace: TraceState;
  event: number;
  interval: NonNullable<Distribution["longest"]>;
  children: ComponentChildren;
}

/**
 * The longest of some durations; a click selects the event at its end, zooms to its interval and
 * shows the lane of its context, which the critical path then explains.
 */
export function LongestLink({ trace, event, interval, children }: LongestLinkProps) {
  const { start, end, context_number: context } = interval;
  const name = context === null ? undefined : trace.overview.contexts[context]?.name;
  const of = name === undefined ? "" : ` of ${name}`;
  return (
    <Button
      class="link"
      title={`Zoom to this interval${of}, until event ${countText(event)}`}
      onClick={() => {
        void trace.select(event).then(async (exists) => {
          if (exists) explainContext(trace, event, context);
          await showTime(trace, start, end);
          if (context !== null) showLane(trace, context);
        });
      }}
    >
      {children}
    </Button>
  );
}
