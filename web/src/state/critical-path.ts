/** The critical path that is shown. */

import type { CriticalPathReport } from "../session/reports";
import { perTrace } from "./per-trace";
import { settings } from "./settings";
import type { TraceState } from "./trace";

/** The event of a path. */
export interface PathSelection {
  event: number;
  /** Whether the path goes back beyond the first cause, to the start of the trace. */
  isBeyond: boolean;
}

/** The selected path; `null` if none is. */
export const pathSelection = perTrace<PathSelection | null>(() => null);

/** The path on the lanes, while its panel is open. */
export const pathReport = perTrace<CriticalPathReport | null>(() => null);

/** Shows the path of the selected event, or closes the panel if it is shown already. */
export function togglePath(trace: TraceState): void {
  const event = trace.selected.peek()?.event;
  const path = pathSelection(trace);
  const isNew = event !== undefined && event !== path.peek()?.event;
  if (settings.sidePanel.peek() === "path" && !isNew) {
    settings.sidePanel.value = "";
    return;
  }
  if (isNew) path.value = { event, isBeyond: false };
  settings.sidePanel.value = "path";
}
