/** Opens the panel with the figures of the selected range. */

import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { reportSelection } from "../reports/report-selection";

/** Opens the panel, unless a report on the range is open. */
export function showRange(trace: TraceState): void {
  const isReported =
    settings.sidePanel.peek() === "reports" && reportSelection(trace).peek().scope === "range";
  if (!isReported) settings.sidePanel.value = "range";
}
