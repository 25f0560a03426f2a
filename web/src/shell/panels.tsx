/** What the panels beside and below the timeline show. */

import type { ComponentType } from "preact";
import { BookmarksPanel } from "../panels/bookmarks/BookmarksPanel";
import { CurvesPanel } from "../panels/curves/CurvesPanel";
import { DetailsPanel } from "../panels/details/DetailsPanel";
import { EventsPanel } from "../panels/events/EventsPanel";
import { LegendPanel } from "../panels/legend/LegendPanel";
import { ObjectsPanel } from "../panels/objects/ObjectsPanel";
import { ReportsPanel } from "../panels/reports/ReportsPanel";
import { SearchPanel } from "../panels/search/SearchPanel";
import { TraceInfoPanel } from "../panels/trace-info/TraceInfoPanel";
import { BOTTOM_PANELS, SIDE_PANELS } from "../state/settings";
import type { TraceState } from "../state/trace";

/** A panel and its tab. */
export interface Panel<N extends string> {
  name: N;
  title: string;
  Content: ComponentType<{ trace: TraceState }>;
}

const PANELS = {
  details: { title: "Details", Content: DetailsPanel },
  search: { title: "Search", Content: SearchPanel },
  reports: { title: "Reports", Content: ReportsPanel },
  objects: { title: "Objects", Content: ObjectsPanel },
  bookmarks: { title: "Bookmarks", Content: BookmarksPanel },
  legend: { title: "Legend", Content: LegendPanel },
  trace: { title: "Trace", Content: TraceInfoPanel },
  events: { title: "Events", Content: EventsPanel },
  curves: { title: "Curves", Content: CurvesPanel },
};

export const sidePanels = SIDE_PANELS.map((name) => ({ name, ...PANELS[name] }));
export const bottomPanels = BOTTOM_PANELS.map((name) => ({ name, ...PANELS[name] }));
