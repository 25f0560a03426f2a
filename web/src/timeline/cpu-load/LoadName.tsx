/** Name of a row of the CPU load. */

import { contextMenu } from "../../shell/context-menu/context-menu";
import { settings } from "../../state/settings";
import type { LoadRow } from "../layout";
import type { TimelineView } from "../view";
import { loadTitle } from "./facts";
import { loadMenu } from "./load-menu";

interface LoadNameProps {
  view: TimelineView;
  row: LoadRow;
  /** Position and height in pixels. */
  y: number;
  height: number;
  /** Sets the scroll position of the lanes. */
  scroll: (top: number) => void;
}

export function LoadName({ view, row: { core, expanded }, y, height, scroll }: LoadNameProps) {
  const toggle = () => {
    settings.cpuLoadOfCores.value = !settings.cpuLoadOfCores.peek();
  };
  const openMenu = (from: HTMLElement) => {
    const { left, bottom } = from.getBoundingClientRect();
    contextMenu.value = { ...loadMenu(view, core, scroll), x: left, y: bottom, from };
  };
  return (
    <div class="lane-name load" style={{ transform: `translateY(${y}px)`, height: `${height}px` }}>
      {core === null ? null : <span class="lane-indent" />}
      {expanded === null ? null : (
        <button
          type="button"
          class="lane-toggle plain"
          aria-label="CPU load of each core"
          aria-expanded={expanded}
          onClick={toggle}
        >
          {expanded ? "▾" : "▸"}
        </button>
      )}
      <button
        type="button"
        class="plain lane-text"
        aria-haspopup="menu"
        title="Shares of CPU time, stacked. Click on a band to select its context, or here for a list."
        onClick={(event) => openMenu(event.currentTarget)}
        onContextMenu={(event) => {
          event.preventDefault();
          openMenu(event.currentTarget);
        }}
      >
        {loadTitle(core)}
      </button>
      {core === null ? <span class="lane-note">0–100 %</span> : null}
    </div>
  );
}
