/** Buttons for the panels, shown while none of them is open. */

import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { TraceState } from "../state/trace";
import { Button, set } from "./controls";
import { MorePanels } from "./MorePanels";
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
  const row = useRef<HTMLDivElement>(null);
  return (
    <nav class={`panel-rail ${isUpright ? "upright" : ""}`} aria-label={label}>
      <div class="panel-buttons" ref={row}>
        {applicablePanels(panels, trace).map(({ name, title }) => (
          <Button key={name} class="plain" title={`Open ${title}`} onClick={set(chosen, name)}>
            {title}
          </Button>
        ))}
      </div>
      <MorePanels row={row} />
    </nav>
  );
}
