/** Name of a row of intervals. */

import { settings } from "../../state/settings";
import type { IntervalsRow } from "../layout";
import { intervalsProperty } from "./bars";

interface IntervalsNameProps {
  row: IntervalsRow;
  /** Position and height in pixels. */
  y: number;
  height: number;
}

export function IntervalsName({ row: { name, number }, y, height }: IntervalsNameProps) {
  return (
    <div
      class="lane-name intervals"
      style={{ transform: `translateY(${y}px)`, height: `${height}px` }}
    >
      <span class="lane-swatch" style={{ background: `var(${intervalsProperty(number)})` }} />
      <button
        type="button"
        class="plain lane-text"
        title={`${name}\nShow the figures`}
        onClick={() => {
          settings.sidePanel.value = "intervals";
        }}
      >
        {name}
      </button>
    </div>
  );
}
