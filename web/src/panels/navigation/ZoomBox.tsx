/** Zoom: at 100 % the whole trace is visible. */

import { useComputed, useSignal } from "@preact/signals";
import { set as setSignal } from "../../shell/controls";
import type { TraceState } from "../../state/trace";
import { parsePercent, percentText } from "./percent";
import "./navigation.css";

export function ZoomBox({ trace }: { trace: TraceState }) {
  const typed = useSignal<string | null>(null);
  const shown = useComputed(() => {
    const { start: from, end: to } = trace.window.value;
    const whole = trace.fullInterval.value;
    return percentText((whole.end - whole.start) / (to - from));
  });
  const set = () => {
    const percent = parsePercent(typed.peek() ?? "");
    if (percent !== null) {
      const { start: from, end: to } = trace.window.peek();
      const whole = trace.fullInterval.peek();
      trace.zoom((whole.end - whole.start) / (percent / 100) / (to - from));
    }
    typed.value = null;
  };
  return (
    <input
      class="zoom-box number"
      aria-label="Zoom in percent"
      value={typed.value ?? shown.value}
      title="100 % shows the whole trace, 20 × a twentieth of it; press Enter to zoom"
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
      }}
      onBlur={setSignal(typed, null)}
      onKeyDown={(event) => {
        if (event.key === "Enter") set();
      }}
    />
  );
}
