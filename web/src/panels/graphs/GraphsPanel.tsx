/** Graphs of load and levels below the timeline, on its axis. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { GraphSource } from "../../session/wire";
import { Icon } from "../../shell/Icon";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { GraphPlot } from "./GraphPlot";
import { addGraph, isShown, keyOf, removeGraph, selectedGraphs } from "./selected-graphs";
import "./graphs.css";

/** Width of the timeline's scroll bar, see timeline.css. */
const SCROLL_BAR_WIDTH = 12;
const MIN_HEIGHT = 56;

function titleOf(trace: TraceState, of: GraphSource): string {
  if (of.kind === "load") return of.core === null ? "Load" : `Load of core ${of.core}`;
  const level = trace.overview.levels.find(({ resource }) => resource === of.resource);
  return level ? level.name : `object ${of.resource}`;
}

function GraphPicker({ trace }: { trace: TraceState }) {
  const { cores, levels } = trace.overview;
  const loads: GraphSource[] = [null, ...(cores.length > 1 ? cores : [])].map((core) => ({
    kind: "load",
    core,
  }));
  const all: GraphSource[] = [
    ...loads,
    ...levels.map(({ resource }): GraphSource => ({ kind: "level", resource })),
  ];
  const rest = all.filter((graph) => !isShown(trace, graph));
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
      {rest.map((graph) => (
        <option key={keyOf(graph)} value={keyOf(graph)}>
          {titleOf(trace, graph)}
        </option>
      ))}
    </select>
  );
}

function GraphName({ trace, of, colour }: { trace: TraceState; of: GraphSource; colour: number }) {
  const title = titleOf(trace, of);
  const level =
    of.kind === "level"
      ? trace.overview.levels.find(({ resource }) => resource === of.resource)
      : null;
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
      <span class="muted graph-class">
        {level ? level.class : "%"}
        {level?.capacity != null && `, of ${level.capacity}`}
      </span>
      <button
        type="button"
        class="plain"
        aria-label={`Remove graph ${title}`}
        onClick={() => removeGraph(trace, of)}
      >
        <Icon name="close" />
      </button>
    </div>
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
  const names = settings.nameWidth.value;
  const width = Math.max(0, Math.floor(size.width - names - SCROLL_BAR_WIDTH));
  const height = Math.max(
    MIN_HEIGHT,
    Math.floor((size.height - 32) / Math.max(1, graphs.length)) - 1,
  );
  return (
    <div class="graphs" ref={place}>
      {graphs.map((of, number) => (
        <fieldset key={keyOf(of)} class="graph" aria-label={`Graph ${titleOf(trace, of)}`}>
          <div class="graph-side" style={{ width: `${names}px` }}>
            <GraphName trace={trace} of={of} colour={number} />
          </div>
          <GraphPlot trace={trace} of={of} colour={number} width={width} height={height} />
        </fieldset>
      ))}
      <div class="graph-foot">
        <GraphPicker trace={trace} />
      </div>
    </div>
  );
}
