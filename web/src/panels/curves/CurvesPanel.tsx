/** Graphs of load and levels below the timeline, on its axis. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { GraphSource } from "../../session/wire";
import { Icon } from "../../shell/Icon";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { CurvePlot } from "./CurvePlot";
import { addCurve, chosenCurves, isShown, keyOf, removeCurve } from "./chosen";
import "./curves.css";

/** Width of the timeline's scroll bar, see timeline.css. */
const RIGHT = 12;
const LOWEST = 56;

function titleOf(trace: TraceState, of: GraphSource): string {
  if (of.kind === "load") return of.core === null ? "Load" : `Load of core ${of.core}`;
  const level = trace.overview.levels.find(({ resource }) => resource === of.resource);
  return level ? level.name : `object ${of.resource}`;
}

function Picker({ trace }: { trace: TraceState }) {
  const { cores, levels } = trace.overview;
  const loads: GraphSource[] = [null, ...(cores.length > 1 ? cores : [])].map((core) => ({
    kind: "load" as const,
    core,
  }));
  const all: GraphSource[] = [
    ...loads,
    ...levels.map(({ resource }): GraphSource => ({ kind: "level", resource })),
  ];
  const rest = all.filter((curve) => !isShown(trace, curve));
  if (rest.length === 0) return null;
  return (
    <select
      class="curve-picker"
      aria-label="Add a graph"
      value=""
      onChange={({ currentTarget }) => {
        const curve = rest.find((one) => keyOf(one) === currentTarget.value);
        currentTarget.value = "";
        if (curve) addCurve(trace, curve);
      }}
    >
      <option value="">Add a graph…</option>
      {rest.map((curve) => (
        <option key={keyOf(curve)} value={keyOf(curve)}>
          {titleOf(trace, curve)}
        </option>
      ))}
    </select>
  );
}

function Name({ trace, of, colour }: { trace: TraceState; of: GraphSource; colour: number }) {
  const title = titleOf(trace, of);
  const level =
    of.kind === "level"
      ? trace.overview.levels.find(({ resource }) => resource === of.resource)
      : null;
  return (
    <div class="curve-name">
      <span
        class="curve-swatch"
        style={{ background: `var(--curve-${(colour % 6) + 1})` }}
        aria-hidden="true"
      />
      <span class="curve-title" title={title}>
        {title}
      </span>
      <span class="muted curve-class">
        {level ? level.class : "%"}
        {level?.capacity != null && `, of ${level.capacity}`}
      </span>
      <button
        type="button"
        class="plain"
        aria-label={`Remove graph ${title}`}
        onClick={() => removeCurve(trace, of)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

export function CurvesPanel({ trace }: { trace: TraceState }) {
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
  const curves = chosenCurves(trace).value;
  const names = settings.nameWidth.value;
  const width = Math.max(0, Math.floor(size.width - names - RIGHT));
  const height = Math.max(LOWEST, Math.floor((size.height - 32) / Math.max(1, curves.length)) - 1);
  return (
    <div class="curves" ref={place}>
      {curves.map((of, number) => (
        <fieldset key={keyOf(of)} class="curve" aria-label={`Graph ${titleOf(trace, of)}`}>
          <div class="curve-side" style={{ width: `${names}px` }}>
            <Name trace={trace} of={of} colour={number} />
          </div>
          <CurvePlot trace={trace} of={of} colour={number} width={width} height={height} />
        </fieldset>
      ))}
      <div class="curve-foot">
        <Picker trace={trace} />
      </div>
    </div>
  );
}
