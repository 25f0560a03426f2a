/** A tab for each open trace. */

import { activeId, closeTrace, showError, traces } from "../state/viewer";
import { Button, IconButton, set } from "./controls";
import { LiveBadge } from "./live/LiveBar";
import { onTabKeys } from "./tab-keys";
import "./trace-tabs.css";

export function TraceTabs() {
  if (traces.value.length === 0) return null;
  return (
    <nav class="trace-tabs" aria-label="Open traces">
      <div role="tablist" aria-label="Open traces" onKeyDown={onTabKeys}>
        {traces.value.map(({ id, overview: { name }, live }, order) => (
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
          >
            <span class="trace-name">{name}</span>
            {live !== null && <LiveBadge live={live} />}
          </Button>
        ))}
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
