/** A row of tabs and the selected panel. */

import type { Signal } from "@preact/signals";
import type { TraceState } from "../state/trace";
import { Icon } from "./Icon";
import { applicablePanels, type Panel, selectedPanel } from "./panels";
import { onTabKeys } from "./tab-keys";
import "./panel-area.css";

/** Number of tabs that fit side by side. */
const TABS_IN_A_ROW = 7;

interface PanelAreaProps<N extends string> {
  label: string;
  panels: readonly Panel<N>[];
  chosen: Signal<N | "">;
  trace: TraceState;
}

export function PanelArea<N extends string>({ label, panels, chosen, trace }: PanelAreaProps<N>) {
  const panel = selectedPanel(panels, chosen.value, trace);
  if (!panel) return null;
  const own = applicablePanels(panels, trace);
  const { Content } = panel;
  return (
    <section class="panel-area" aria-label={label}>
      <header class="panel-tabs" {...(own.length > TABS_IN_A_ROW ? { "data-many": "" } : {})}>
        <div role="tablist" aria-label={label} onKeyDown={onTabKeys}>
          {own.map(({ name, title }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              class="tab"
              aria-selected={name === panel.name}
              aria-controls={`panel-${name}`}
              tabIndex={name === panel.name ? 0 : -1}
              onClick={() => {
                chosen.value = name;
              }}
            >
              {title}
            </button>
          ))}
        </div>
        <button
          type="button"
          class="plain"
          aria-label={`Close ${label.toLowerCase()}`}
          onClick={() => {
            chosen.value = "";
          }}
        >
          <Icon name="close" />
        </button>
      </header>
      <div
        class="panel-content"
        role="tabpanel"
        id={`panel-${panel.name}`}
        aria-labelledby={`tab-${panel.name}`}
      >
        <Content key={trace.id} trace={trace} />
      </div>
    </section>
  );
}
