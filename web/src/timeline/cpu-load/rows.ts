/** Rows of the CPU load. */

import type { ContextLoad, CpuLoad } from "../../session/wire";
import { type LoadSelection, loadSelection } from "../../state/load-selection";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import type { LoadRow, PlacedRow } from "../layout";
import type { TimelineView } from "../view";
import { MARGIN } from "./draw";
import { bandAt, keyOf, type LoadPart, partAt } from "./stack";

/** Rows above the lanes; none if the clock does not measure time. */
export function loadRows({ overview }: TraceState): LoadRow[] {
  if (!settings.cpuLoad.value || overview.clock.no_time !== null) return [];
  const cores = overview.cores.length > 1 ? overview.cores : [];
  const isExpanded = settings.cpuLoadOfCores.value;
  const whole: LoadRow = {
    kind: "load",
    core: null,
    expanded: cores.length > 0 ? isExpanded : null,
  };
  if (!isExpanded) return [whole];
  return [whole, ...cores.map((core): LoadRow => ({ kind: "load", core, expanded: null }))];
}

/** Part of the load at a point of its row. */
export function loadPartAt(
  { row, y: top, height }: PlacedRow,
  load: CpuLoad | null,
  at: number,
  y: number,
  selected: LoadSelection | null,
): LoadPart | null {
  if (load === null || row.kind !== "load") return null;
  const part = partAt(load, at);
  if (part === null) return null;
  const bottom = top + height - MARGIN.bottom;
  const share = (bottom - y) / (height - MARGIN.top - MARGIN.bottom);
  const { positions } = load;
  return {
    core: row.core,
    start: positions[part] ?? 0,
    end: positions[part + 1] ?? 0,
    of: bandAt(load, part, share, selected?.key ?? null)?.of ?? null,
  };
}

/** Lane of a context of the load. */
function laneOf({ trace }: TimelineView, of: ContextLoad, core: number | null): number | null {
  const { lanes } = trace.overview;
  const isOfCore = (lane: (typeof lanes)[number]) =>
    !("core" in lane) || core === null || lane.core === core;
  const find = (matches: (lane: (typeof lanes)[number]) => boolean) =>
    lanes.findIndex((lane) => isOfCore(lane) && matches(lane));
  const number =
    of.context !== null
      ? find((lane) => lane.kind === "thread" && lane.context === of.context)
      : of.kind === "isr" || of.kind === "kernel"
        ? find((lane) =>
            of.kind === "isr" && trace.lanes.routinesShown.peek()
              ? lane.kind === "isr" && lane.name === of.name
              : lane.kind === "interrupt",
          )
        : of.kind === "initialize"
          ? find((lane) => lane.kind === "initialize-idle")
          : -1;
  return number < 0 ? null : number;
}

/**
 * Selects the context of a band and brings its lane into view; a second click, or one beside all
 * bands, clears the selection.
 */
export function selectLoad(
  view: TimelineView,
  of: ContextLoad | null,
  core: number | null,
  scroll: (top: number) => void,
): void {
  const selection = loadSelection(view.trace);
  const key = of === null ? null : keyOf(of);
  if (of === null || key === null || key === selection.peek()?.key) {
    selection.value = null;
    return;
  }
  const lane = laneOf(view, of, core);
  selection.value = { key, lane };
  if (lane !== null) view.scrollTo(lane, scroll);
}
