/** Name of a row of the CPU load. */

import { settings } from "../../state/settings";
import type { LoadRow } from "../layout";
import { loadTitle } from "./facts";

interface LoadNameProps {
  row: LoadRow;
  /** Position and height in pixels. */
  y: number;
  height: number;
}

export function LoadName({ row: { core, expanded }, y, height }: LoadNameProps) {
  const toggle = () => {
    settings.cpuLoadOfCores.value = !settings.cpuLoadOfCores.peek();
  };
  return (
    <div
      class="lane-name load"
      title="Shares of CPU time, stacked. Click on a band to select its context."
      style={{ transform: `translateY(${y}px)`, height: `${height}px` }}
    >
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
      <span class="lane-text">{loadTitle(core)}</span>
      {core === null ? <span class="lane-note">0–100 %</span> : null}
    </div>
  );
}
