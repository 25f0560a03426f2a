/** Graphs of load, levels, durations and values of events below the timeline, on its axis. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { GraphSource } from "../../session/wire";
import { IconButton, Options } from "../../shell/controls";
import { durationText, shownClock } from "../../state/format";
import { MAX_NAMES_SHARE, settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
import type { PlotProps } from "./CanvasPlot";
import { GraphPlot } from "./GraphPlot";
import { graphGroups, isPlot, plotValueText, type ShownGraph, titleOf } from "./graph-sources";
import { MessagePlot } from "./MessagePlot";
import { PointPlot } from "./PointPlot";
import type { PlotPoint } from "./points";
import { addGraph, isShown, keyOf, removeGraph, selectedGraphs } from "./selected-graphs";
import "./graphs.css";

/** Width of the timeline's scroll bar, see timeline.css. */
const SCROLL_BAR_WIDTH = 12;
const MIN_HEIGHT = 56;

function GraphPicker({ trace }: { trace: TraceState }) {
  const groups = graphGroups(trace).map(({ title, graphs }) => ({
    title,
    graphs: graphs.filter((graph) => !isShown(trace, graph)),
  }));
  const rest = groups.flatMap(({ graphs }) => graphs);
  if (rest.length === 0) return null;
  return (
    <select
      class="graph-picker"
      aria-label="Add a graph"
      value=""
      onChange={({ currentTarget }) => {
        const graph = rest.find((one) => keyOf(one) === currentTarget.value);
        currentTarget.value = "";
        if (graph) addGraph(trace, graph);
      }}
    >
      <option value="">Add a graph…</option>
      {groups
        .filter(({ graphs }) => graphs.length > 0)
        .map(({ title, graphs }) => (
          <optgroup key={title} label={title}>
            <Options of={graphs.map((graph) => [keyOf(graph), titleOf(trace, graph)])} />
          </optgroup>
        ))}
    </select>
  );
}

interface GraphNameProps {
  trace: TraceState;
  of: ShownGraph;
  colour: number;
  /** What is below the title. */
  note: ComponentChildren;
}

function GraphName({ trace, of, colour, note }: GraphNameProps) {
  const title = titleOf(trace, of);
  return (
    <div class="graph-name">
      <span
        class="graph-swatch"
        style={{ background: `var(--graph-${(colour % 6) + 1})` }}
        aria-hidden="true"
      />
      <span class="graph-title" title={title}>
        {title}
      </span>
      <span class="muted graph-class">{note}</span>
      <IconButton
        icon="close"
        label={`Remove graph ${title}`}
        onClick={() => removeGraph(trace, of)}
      />
    </div>
  );
}

/** Unit, or class and capacity, of a value. */
function unitOf(trace: TraceState, of: GraphSource): string {
  if (of.kind === "load") return "%";
  const level = trace.overview.levels.find(({ resource }) => resource === of.resource);
  const capacity = level?.capacity ?? null;
  return `${level?.class ?? ""}${capacity === null ? "" : `, of ${capacity}`}`;
}

interface RowProps extends Omit<PlotProps<ShownGraph>, "largest"> {
  names: number;
}

function GraphRow({ trace, of, colour, names, width, height }: RowProps) {
  const largest = useSignal<PlotPoint | null>(null);
  const point = largest.value;
  const shared = { trace, colour, width, height };
  const isMessages = of.kind === "messages";
  const note =
    !isPlot(of) && !isMessages ? (
      unitOf(trace, of)
    ) : point === null ? (
      "nothing visible"
    ) : (
      <>
        max{" "}
        <EventLink trace={trace} event={point.event}>
          {isMessages
            ? durationText(point.value, shownClock(trace))
            : plotValueText(of, point.value, shownClock(trace))}
        </EventLink>
      </>
    );
  return (
    <fieldset class="graph" aria-label={`Graph ${titleOf(trace, of)}`}>
      <div class="graph-side" style={{ width: `${names}px` }}>
        <GraphName trace={trace} of={of} colour={colour} note={note} />
      </div>
      {isMessages ? (
        <MessagePlot of={of} {...shared} largest={largest} />
      ) : isPlot(of) ? (
        <PointPlot of={of} {...shared} largest={largest} />
      ) : (
        <GraphPlot of={of} {...shared} />
      )}
    </fieldset>
  );
}

export function GraphsPanel({ trace }: { trace: TraceState }) {
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const graphs = selectedGraphs(trace).value;
  // As the timeline above, whose positions are above those of the graphs.
  const names = Math.min(settings.nameWidth.value, size.width * MAX_NAMES_SHARE);
  const width = Math.max(0, Math.floor(size.width - names - SCROLL_BAR_WIDTH));
  const height = Math.max(
    MIN_HEIGHT,
    Math.floor((size.height - 32) / Math.max(1, graphs.length)) - 1,
  );
  return (
    <div class="graphs" ref={place}>
      {graphs.map((of, number) => (
        <GraphRow
          key={keyOf(of)}
          trace={trace}
          of={of}
          colour={number}
          names={names}
          width={width}
          height={height}
        />
      ))}
      <div class="graph-foot">
        <GraphPicker trace={trace} />
      </div>
    </div>
  );
}
