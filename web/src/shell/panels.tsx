/** Panels beside and below the timeline. */

import type { ComponentType } from "preact";
import { BookmarksPanel } from "../panels/bookmarks/BookmarksPanel";
import { CommunicationPanel } from "../panels/communication/CommunicationPanel";
import { ComparisonPanel } from "../panels/comparison/ComparisonPanel";
import { CriticalPathPanel } from "../panels/critical-path/CriticalPathPanel";
import { DetailsPanel } from "../panels/details/DetailsPanel";
import { EventsPanel } from "../panels/events/EventsPanel";
import { GraphsPanel } from "../panels/graphs/GraphsPanel";
import { IntervalsPanel } from "../panels/intervals/IntervalsPanel";
import { LegendPanel } from "../panels/legend/LegendPanel";
import { MachinePanel } from "../panels/machine/MachinePanel";
import { ObjectsPanel } from "../panels/objects/ObjectsPanel";
import { RangePanel } from "../panels/range/RangePanel";
import { ReportsPanel } from "../panels/reports/ReportsPanel";
import { SearchPanel } from "../panels/search/SearchPanel";
import { SequencePanel } from "../panels/sequence/SequencePanel";
import { SqlPanel } from "../panels/sql/SqlPanel";
import { TraceInfoPanel } from "../panels/trace-info/TraceInfoPanel";
import { shownComparison } from "../state/comparison/comparison";
import { hasActiveObjects, recordsCommunication } from "../state/contexts";
import { BOTTOM_PANELS, SIDE_PANELS } from "../state/settings";
import type { TraceState } from "../state/trace";

/** A panel and its tab. */
export interface Panel<N extends string> {
  name: N;
  title: string;
  Content: ComponentType<{ trace: TraceState }>;
  /** Whether the panel is about both recordings of a comparison, not about the active one. */
  isShared?: boolean;
  /** Whether the panel applies to a trace; always by default. */
  isApplicable?: (trace: TraceState) => boolean;
}

const tracesActiveObjects = ({ overview }: TraceState) => hasActiveObjects(overview);

const PANELS = {
  details: { title: "Details", Content: DetailsPanel },
  path: { title: "Critical path", Content: CriticalPathPanel },
  range: {
    title: "Range",
    Content: RangePanel,
    isApplicable: ({ range }: TraceState) => range.value !== null,
  },
  search: { title: "Search", Content: SearchPanel },
  intervals: { title: "Intervals", Content: IntervalsPanel },
  reports: { title: "Reports", Content: ReportsPanel },
  objects: { title: "Objects", Content: ObjectsPanel },
  communication: {
    title: "Communication",
    Content: CommunicationPanel,
    isApplicable: ({ overview }: TraceState) => recordsCommunication(overview),
  },
  comparison: {
    title: "Comparison",
    Content: ComparisonPanel,
    isShared: true,
    isApplicable: () => shownComparison.value !== null,
  },
  bookmarks: { title: "Bookmarks", Content: BookmarksPanel },
  legend: { title: "Legend", Content: LegendPanel },
  trace: { title: "Trace", Content: TraceInfoPanel },
  sequence: { title: "Sequence", Content: SequencePanel, isApplicable: tracesActiveObjects },
  machine: { title: "State machine", Content: MachinePanel, isApplicable: tracesActiveObjects },
  events: { title: "Events", Content: EventsPanel },
  graphs: { title: "Graphs", Content: GraphsPanel },
  sql: { title: "SQL", Content: SqlPanel },
} satisfies Record<string, Omit<Panel<string>, "name">>;

export const sidePanels: readonly Panel<(typeof SIDE_PANELS)[number]>[] = SIDE_PANELS.map(
  (name) => ({ name, ...PANELS[name] }),
);
export const bottomPanels: readonly Panel<(typeof BOTTOM_PANELS)[number]>[] = BOTTOM_PANELS.map(
  (name) => ({ name, ...PANELS[name] }),
);

/** Panels that apply to a trace. */
export function applicablePanels<N extends string>(
  panels: readonly Panel<N>[],
  trace: TraceState,
): Panel<N>[] {
  return panels.filter(({ isApplicable }) => isApplicable === undefined || isApplicable(trace));
}

/**
 * Panel by name or, if it does not apply to the trace, the first one; `undefined` if none is
 * selected.
 */
export function selectedPanel<N extends string>(
  panels: readonly Panel<N>[],
  chosen: N | "",
  trace: TraceState,
): Panel<N> | undefined {
  if (chosen === "") return undefined;
  const own = applicablePanels(panels, trace);
  return own.find(({ name }) => name === chosen) ?? own[0];
}
