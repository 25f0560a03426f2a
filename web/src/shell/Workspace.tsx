/** The timeline, and the panels beside and below it. */

import { PinnedCards } from "../panels/details/PinnedCards";
import type { Comparison } from "../state/comparison/comparison";
import { DIAGRAM_PANELS, settings } from "../state/settings";
import type { TraceState } from "../state/trace";
import { Timeline } from "../timeline/Timeline";
import { ComparedTimelines } from "./comparison/ComparedTimelines";
import { LiveHint } from "./live/LiveBar";
import { PanelArea } from "./PanelArea";
import { PanelRail } from "./PanelRail";
import { bottomPanels, selectedPanel, sidePanels } from "./panels";
import { Splitter } from "./Splitter";

const MIN_SIDE_WIDTH = 260;
const MIN_HEIGHT = 90;

interface WorkspaceProps {
  trace: TraceState;
  /** The comparison that the trace is part of, if there is one. */
  comparison: Comparison | null;
}

export function Workspace({ trace, comparison }: WorkspaceProps) {
  const { sidePanel, bottomPanel, bottomHeight, sideHeight } = settings;
  const side = selectedPanel(sidePanels, sidePanel.value, trace)?.name;
  // An empty panel is not printed.
  const isEmpty =
    (side === "details" && trace.selected.value === null) ||
    (side === "search" && trace.searchResult.value === null);
  // Diagrams need more room than lists.
  const sideWidth =
    side !== undefined && DIAGRAM_PANELS.includes(side)
      ? settings.diagramWidth
      : settings.sideWidth;
  return (
    <main class="workspace" id="workspace">
      <div class="middle">
        <div class="timeline-place">
          {comparison === null ? (
            <Timeline trace={trace} />
          ) : (
            <ComparedTimelines
              key={comparison.sides.map(({ serial }) => serial).join("-")}
              comparison={comparison}
            />
          )}
          {trace.live && <LiveHint live={trace.live} />}
        </div>
        {bottomPanel.value === "" ? (
          <PanelRail
            label="Open lower panel"
            panels={bottomPanels}
            chosen={bottomPanel}
            trace={trace}
          />
        ) : (
          <>
            <Splitter
              label="Height of the lower panel"
              orientation="horizontal"
              size={bottomHeight}
              min={MIN_HEIGHT}
              max={() => window.innerHeight * 0.6}
            />
            <div class="bottom-place" style={{ "--bottom-height": `${bottomHeight.value}px` }}>
              <PanelArea
                label="Lower panel"
                panels={bottomPanels}
                chosen={bottomPanel}
                trace={trace}
              />
            </div>
          </>
        )}
        <PinnedCards key={trace.serial} trace={trace} />
      </div>
      {side === undefined ? (
        <PanelRail
          label="Open side panel"
          panels={sidePanels}
          chosen={sidePanel}
          trace={trace}
          isUpright
        />
      ) : (
        <>
          <Splitter
            label="Width of the side panel"
            orientation="vertical"
            size={sideWidth}
            min={MIN_SIDE_WIDTH}
            max={() => window.innerWidth * 0.6}
          />
          <Splitter
            label="Height of the side panel"
            orientation="horizontal"
            size={sideHeight}
            min={MIN_HEIGHT}
            max={() => window.innerHeight * 0.6}
          />
          <div
            class="side-place"
            {...(isEmpty ? { "data-empty": "" } : {})}
            style={{
              "--side-width": `${sideWidth.value}px`,
              "--side-height": `${sideHeight.value}px`,
            }}
          >
            <PanelArea label="Side panel" panels={sidePanels} chosen={sidePanel} trace={trace} />
          </div>
        </>
      )}
    </main>
  );
}
