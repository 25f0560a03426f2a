/** The status bar: pointer, range, markers, hits. */

import { useComputed } from "@preact/signals";
import { clockSourceText } from "../state/clock";
import { countText, durationText, frequencyText, plural, shownClock } from "../state/format";
import { goToEvent } from "../state/navigation";
import type { TraceState } from "../state/trace";
import { pointerText } from "../timeline/position-text";
import { command } from "./commands";
import { Button } from "./controls";
import "./status-bar.css";

function Cursor({ trace }: { trace: TraceState }) {
  const text = useComputed(() => pointerText(trace) ?? "–");
  return (
    <span class="cell pointer" title="Pointer position">
      Pointer <b>{text}</b>
    </span>
  );
}

/** Length of the visible interval. */
function Visible({ trace }: { trace: TraceState }) {
  const text = useComputed(() => {
    const { start, end } = trace.window.value;
    const length = Math.round(end - start);
    if (trace.axis.value === "index") return plural(length, "event");
    return durationText(length, shownClock(trace));
  });
  return (
    <span class="cell" title="Length of the visible part">
      Visible <b data-testid="visible">{text}</b>
    </span>
  );
}

/** Key of the density strips, if there are any. */
function Density({ trace }: { trace: TraceState }) {
  const scale = trace.densityScale.value;
  if (scale === null) return null;
  const [low, high] = [countText(2 ** scale.low), countText(2 ** scale.high)];
  return (
    <span
      class="cell density"
      title="Strips show the density of events; the scale is logarithmic and includes the highest density in view"
    >
      ≤ {low} <span class="density-key" aria-hidden="true" /> {high} events a pixel
    </span>
  );
}

function Range({ trace }: { trace: TraceState }) {
  const range = trace.range.value;
  if (range === null || range.axis !== trace.axis.value) return null;
  const length = Math.abs(range.end - range.start);
  const { run } = command("zoom-range");
  return (
    <span class="cell">
      Range{" "}
      <b data-testid="range">
        {range.axis === "index"
          ? plural(Math.round(length), "event")
          : durationText(Math.round(length), shownClock(trace))}
      </b>
      <Button class="link" onClick={run}>
        zoom in
      </Button>
    </span>
  );
}

function Markers({ trace }: { trace: TraceState }) {
  const { a, b } = trace.markers;
  const time = (ticks: number) => durationText(ticks, shownClock(trace));
  const one = (name: "A" | "B", at: typeof a.value) =>
    at && (
      <span class={`cell marker-${name.toLowerCase()}`}>
        {name}{" "}
        <Button
          class="link"
          aria-label={`Go to marker ${name}`}
          onClick={() => void goToEvent(trace, at.event)}
        >
          {time(at.time)}
        </Button>
      </span>
    );
  const between = a.value && b.value && (
    <span class="cell">
      B − A <b>{time(b.value.time - a.value.time)}</b>
      <span class="muted">({plural(b.value.event - a.value.event, "event")})</span>
    </span>
  );
  return (
    <>
      {one("A", a.value)}
      {one("B", b.value)}
      {between}
    </>
  );
}

export function StatusBar({ trace }: { trace: TraceState }) {
  const selected = trace.selected.value;
  const searched = trace.searchResult.value;
  const clock = command("clock");
  const source = clockSourceText(trace.clockSource.value);
  return (
    <footer class="status-bar" role="contentinfo" aria-label="Status">
      <div
        class="cells"
        onFocusOut={({ currentTarget }) => {
          // A link that gets the focus in a hidden line scrolls the cells.
          currentTarget.scrollTop = 0;
        }}
      >
        <Cursor trace={trace} />
        <Visible trace={trace} />
        {selected && (
          <span class="cell">
            Event <b>{countText(selected.event)}</b>
            <span class="muted event-time">
              at {durationText(selected.time, shownClock(trace))}
            </span>
          </span>
        )}
        <Range trace={trace} />
        <Markers trace={trace} />
        {searched && searched.error === null && (
          <span class="cell">{plural(searched.total, "hit")}</span>
        )}
        <span class="space" />
        <Density trace={trace} />
        <span class="cell muted">{plural(trace.overview.events, "event")}</span>
      </div>
      <Button
        class="link cell"
        title={`${source === null ? "Clock frequency" : `Clock frequency ${source}`}. Click to set it (C)`}
        onClick={clock.run}
      >
        {trace.frequencyHz.value === null
          ? (trace.overview.clock.no_time ?? "clock frequency unknown")
          : frequencyText(trace.frequencyHz.value)}
      </Button>
    </footer>
  );
}
