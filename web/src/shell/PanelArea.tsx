/** A row of tabs and the selected panel. */

import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TraceState } from "../state/trace";
import { Icon } from "./Icon";
import { applicablePanels, type Panel, selectedPanel } from "./panels";
import { onTabKeys } from "./tab-keys";
import "./panel-area.css";

interface PanelAreaProps<N extends string> {
  label: string;
  panels: readonly Panel<N>[];
  chosen: Signal<N | "">;
  trace: TraceState;
}

/** Scrolls a row of tabs; `scrollIntoView` would also move where Tab continues. */
function showTab(row: HTMLElement, tab: HTMLElement): void {
  const left = tab.offsetLeft - row.offsetLeft;
  const right = left + tab.offsetWidth - row.clientWidth;
  row.scrollLeft = Math.min(Math.max(row.scrollLeft, right), left);
}

export function PanelArea<N extends string>({ label, panels, chosen, trace }: PanelAreaProps<N>) {
  const panel = selectedPanel(panels, chosen.value, trace);
  const tabs = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const selected = tabs.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (tabs.current && selected) showTab(tabs.current, selected);
  }, [panel?.name]);
  if (!panel) return null;
  const own = applicablePanels(panels, trace);
  const { Content } = panel;
  return (
    <section class="panel-area" aria-label={label}>
      <header class="panel-tabs">
        <div role="tablist" aria-label={label} ref={tabs} onKeyDown={onTabKeys}>
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
        <h2 class="hidden-text">{panel.title}</h2>
        <Content key={trace.id} trace={trace} />
      </div>
    </section>
  );
}
