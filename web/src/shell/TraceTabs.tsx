/** A tab for each open trace. */

import { comparable } from "../state/comparison/comparison";
import type { TraceState } from "../state/trace";
import { activeId, closeTrace, showError, traces } from "../state/viewer";
import { contextMenu } from "./context-menu/context-menu";
import { Button, IconButton, set } from "./controls";
import { startComparison } from "./dialogs/CompareDialog";
import { LiveBadge } from "./live/LiveBar";
import { onTabKeys } from "./tab-keys";
import "./trace-tabs.css";

/** Menu of a tab: the recordings that this one can be compared with. */
function openMenu(event: MouseEvent, trace: TraceState, from: HTMLElement): void {
  const all = comparable.peek();
  const others = all.includes(trace) ? all.filter((other) => other !== trace) : [];
  if (others.length === 0) return;
  event.preventDefault();
  const { left, bottom } = from.getBoundingClientRect();
  const { name } = trace.overview;
  contextMenu.value = {
    label: name,
    heading: name,
    facts: [],
    sections: [
      {
        title: "Compare with",
        items: others.map((before) => ({
          title: before.overview.name,
          run: () => startComparison(before, trace),
        })),
      },
    ],
    x: left,
    y: bottom,
    from,
  };
}

export function TraceTabs() {
  if (traces.value.length === 0) return null;
  return (
    <nav class="trace-tabs" aria-label="Open traces">
      <div role="tablist" aria-label="Open traces" onKeyDown={onTabKeys}>
        {traces.value.map((trace, order) => {
          const {
            id,
            overview: { name },
            live,
          } = trace;
          return (
            <Button
              key={id}
              role="tab"
              class="tab"
              style={{ order }}
              aria-selected={id === activeId.value}
              aria-controls="workspace"
              title={name}
              tabIndex={id === activeId.value ? 0 : -1}
              onClick={set(activeId, id)}
              onAuxClick={(event) => {
                if (event.button === 1) closeTrace(id).catch(showError);
              }}
              onContextMenu={(event) => openMenu(event, trace, event.currentTarget)}
            >
              <span class="trace-name">{name}</span>
              {live !== null && <LiveBadge live={live} />}
            </Button>
          );
        })}
      </div>
      {/* A list of tabs may contain nothing else: each button follows its tab by its order. */}
      {traces.value.map(({ id, overview: { name } }, order) => (
        <IconButton
          icon="close"
          key={id}
          style={{ order }}
          data-selected={id === activeId.value ? "" : undefined}
          label={`Close ${name}`}
          onClick={() => {
            closeTrace(id).catch(showError);
          }}
        />
      ))}
    </nav>
  );
}
