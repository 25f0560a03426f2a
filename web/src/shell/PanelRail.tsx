/** Buttons for the panels, shown while none of them is open. */

import type { Signal } from "@preact/signals";
import type { TraceState } from "../state/trace";
import { applicablePanels, type Panel } from "./panels";
import "./panel-rail.css";

interface PanelRailProps<N extends string> {
  label: string;
  panels: readonly Panel<N>[];
  chosen: Signal<N | "">;
  trace: TraceState;
  /** Whether it is beside the timeline, with rotated titles. */
  isUpright?: boolean;
}

export function PanelRail<N extends string>({
  label,
  panels,
  chosen,
  trace,
  isUpright = false,
}: PanelRailProps<N>) {
  return (
    <nav class={`panel-rail ${isUpright ? "upright" : ""}`} aria-label={label}>
      {applicablePanels(panels, trace).map(({ name, title }) => (
        <button
          key={name}
          type="button"
          class="plain"
          title={`Open ${title}`}
          onClick={() => {
            chosen.value = name;
          }}
        >
          {title}
        </button>
      ))}
    </nav>
  );
}
