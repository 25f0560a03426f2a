/** A row of tabs and the selected panel. */

import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TraceState } from "../state/trace";
import { Button, IconButton, set } from "./controls";
import { MorePanels } from "./MorePanels";
import { applicablePanels, type Panel, selectedPanel } from "./panels";
import { onTabKeys } from "./tab-keys";
import "./panel-area.css";

interface PanelAreaProps<N extends string> {
  label: string;
  panels: readonly Panel<N>[];
  chosen: Signal<N | "">;
  trace: TraceState;
}

/** Moves the selected tab to the front if it is not in the first line, the visible one. */
function showSelectedTab(row: HTMLElement): void {
  const tabs = [...row.querySelectorAll<HTMLElement>("[role=tab]")];
  for (const tab of tabs) tab.style.order = "";
  const selected = tabs.find((tab) => tab.ariaSelected === "true");
  if (selected && selected.offsetTop > (tabs[0]?.offsetTop ?? 0)) selected.style.order = "-1";
  // A tab that gets the focus in another line scrolls the row.
  row.scrollTop = 0;
}

export function PanelArea<N extends string>({ label, panels, chosen, trace }: PanelAreaProps<N>) {
  const panel = selectedPanel(panels, chosen.value, trace);
  const tabs = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const row = tabs.current;
    if (row === null) return undefined;
    const observer = new ResizeObserver(() => showSelectedTab(row));
    observer.observe(row);
    showSelectedTab(row);
    return () => observer.disconnect();
  }, [panel?.name]);
  if (!panel) return null;
  const own = applicablePanels(panels, trace);
  const { Content } = panel;
  return (
    <section class="panel-area" aria-label={label}>
      <header class="panel-tabs">
        <div role="tablist" aria-label={label} ref={tabs} onKeyDown={onTabKeys}>
          {own.map(({ name, title }) => (
            <Button
              key={name}
              role="tab"
              id={`tab-${name}`}
              class="tab"
              aria-selected={name === panel.name}
              aria-controls={`panel-${name}`}
              tabIndex={name === panel.name ? 0 : -1}
              onClick={set(chosen, name)}
            >
              {title}
            </Button>
          ))}
        </div>
        <MorePanels row={tabs} />
        <IconButton icon="close" label={`Close ${label.toLowerCase()}`} onClick={set(chosen, "")} />
      </header>
      <div
        class="panel-content"
        role="tabpanel"
        id={`panel-${panel.name}`}
        aria-labelledby={`tab-${panel.name}`}
      >
        <h2 class="hidden-text">{panel.title}</h2>
        <Content key={panel.isShared === true ? panel.name : trace.id} trace={trace} />
      </div>
    </section>
  );
}
