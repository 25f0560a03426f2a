/** The critical path that is shown. */

import type { CriticalPathReport } from "../session/reports";
import { perTrace } from "./per-trace";
import { settings } from "./settings";
import type { TraceState } from "./trace";

/** The event of a path. */
export interface PathSelection {
  event: number;
  /** The thread or active object that it explains; `null` for the context of the event. */
  context: number | null;
  /** Whether the path goes back beyond the first cause, to the start of the trace. */
  isBeyond: boolean;
}

/** The selected path; `null` if none is. */
export const pathSelection = perTrace<PathSelection | null>(() => null);

/** The path on the lanes, while its panel is open. */
export const pathReport = perTrace<CriticalPathReport | null>(() => null);

/** A context that an event concerns, other than the one that logged it: the end of its wait. */
const explained = perTrace<Pick<PathSelection, "event" | "context"> | null>(() => null);

/** Lets the path of an event explain a context, while the event is selected. */
export function explainContext(trace: TraceState, event: number, context: number | null): void {
  explained(trace).value = { event, context };
}

/** The path of an event: of the context that it was selected for. */
export function pathOf(trace: TraceState, event: number): PathSelection {
  const found = explained(trace).peek();
  const context = found?.event === event ? found.context : null;
  return { event, context, isBeyond: false };
}

/** Shows the path of the selected event, or closes the panel if it is shown already. */
export function togglePath(trace: TraceState): void {
  const event = trace.selected.peek()?.event;
  const path = pathSelection(trace);
  const wanted = event === undefined ? null : pathOf(trace, event);
  const shown = path.peek();
  const isNew =
    wanted !== null && (wanted.event !== shown?.event || wanted.context !== shown.context);
  if (settings.sidePanel.peek() === "path" && !isNew) {
    settings.sidePanel.value = "";
    return;
  }
  if (isNew) path.value = wanted;
  settings.sidePanel.value = "path";
}
