/** Load of the cores over time; a click on a bar shows its window. */

import { useSignal } from "@preact/signals";
import type { Load as LoadReport } from "../../../session/reports";
import { Button, set } from "../../../shell/controls";
import { durationText, shareText, shownClock } from "../../../state/format";
import { showTime } from "../../../state/navigation";
import type { TraceState } from "../../../state/trace";

export function Load({ trace, load }: { trace: TraceState; load: LoadReport }) {
  const { busy, start: starts, end, peak } = load;
  const text = (ticks: number) => durationText(ticks, shownClock(trace));
  const show = (window: number) => {
    void showTime(trace, starts[window] ?? 0, starts[window + 1] ?? end);
  };
  const said = (window: number) => {
    const percent = busy[window] ?? null;
    return `${text(starts[window] ?? 0)}: ${percent === null ? "unknown" : shareText(percent)}`;
  };
  // Tab reaches one bar, arrow keys the others.
  const at = useSignal(0);
  const onKeyDown = (event: KeyboardEvent, window: number) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const bar = event.currentTarget;
    if (event.key === "Enter") show(window);
    else if (by !== 0 && bar instanceof SVGElement) {
      const next = by > 0 ? bar.nextElementSibling : bar.previousElementSibling;
      if (next instanceof SVGElement) next.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: an SVG element has no semantic counterpart */}
      <svg
        class="load-chart"
        viewBox={`0 0 ${busy.length} 100`}
        preserveAspectRatio="none"
        role="group"
        aria-label="Load by window"
      >
        {busy.map((percent, window) => (
          // biome-ignore lint/a11y/useSemanticElements: an SVG element has no semantic counterpart
          <rect
            key={window}
            x={window + 0.06}
            width={0.88}
            y={100 - (percent ?? 100)}
            height={percent ?? 100}
            class={percent === null ? "unknown" : window === peak?.window ? "peak" : ""}
            role="button"
            tabIndex={window === at.value ? 0 : -1}
            aria-label={said(window)}
            onFocus={set(at, window)}
            onKeyDown={(event) => onKeyDown(event, window)}
            onClick={() => show(window)}
          >
            <title>{said(window)}</title>
          </rect>
        ))}
      </svg>
      <p class="muted">
        {busy.length} windows of {text(load.window)}.{" "}
        {peak && (
          <>
            Busiest:{" "}
            <Button class="link" onClick={() => show(peak.window)}>
              {shareText(peak.percent)} at {text(peak.start)}
            </Button>
          </>
        )}
      </p>
    </div>
  );
}
