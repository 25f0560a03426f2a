/** The page. */

import { connection } from "../session/connection";
import { shownComparison } from "../state/comparison/comparison";
import { settings } from "../state/settings";
import type { TraceState } from "../state/trace";
import { active, openings } from "../state/viewer";
import { ConnectionBanner } from "./ConnectionBanner";
import { ContextMenu } from "./context-menu/ContextMenu";
import { Button } from "./controls";
import { DropZone } from "./DropZone";
import { Dialogs } from "./dialogs/Dialogs";
import { HealthBanner } from "./HealthBanner";
import { LiveBar } from "./live/LiveBar";
import { Notices } from "./Notices";
import { OpeningList, OpeningPage } from "./OpeningList";
import { StartPage } from "./StartPage";
import { StatusBar } from "./StatusBar";
import { StepAnnouncer } from "./StepAnnouncer";
import { Toolbar } from "./Toolbar";
import { TraceTabs } from "./TraceTabs";
import { Workspace } from "./Workspace";
import "./theme.css";
import "./base.css";
import "./app.css";
import "./print.css";

/** Changes when another trace is shown, or everything must be queried again. */
const keyOf = ({ serial, reloads }: TraceState) => `${serial}-${reloads.value}`;

function focusTimeline(): void {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  const active = find(".compared-side[data-active] .timeline-canvases");
  (active ?? find(".timeline-canvases"))?.focus();
}

export function App() {
  const trace = active.value;
  const isOpening = openings.value.length > 0;
  const compared = shownComparison.value;
  return (
    <div class="app" data-connection={connection.value}>
      <header>
        <h1 class="hidden-text">{trace === null ? "rtoscope" : trace.overview.name}</h1>
        {trace !== null && (
          <Button class="skip-link" onClick={focusTimeline}>
            Skip to the timeline
          </Button>
        )}
        <Toolbar />
      </header>
      <TraceTabs />
      <ConnectionBanner />
      {trace === null ? (
        isOpening ? (
          <OpeningPage />
        ) : (
          <StartPage />
        )
      ) : (
        <>
          {isOpening && <OpeningList />}
          {trace.live && <LiveBar key={`live-${keyOf(trace)}`} live={trace.live} />}
          {/* The panel lists everything that the banner summarises. */}
          {settings.sidePanel.value !== "trace" && compared === null && (
            <HealthBanner key={keyOf(trace)} trace={trace} />
          )}
          <Workspace
            key={compared === null ? `workspace-${keyOf(trace)}` : "workspace"}
            trace={trace}
            comparison={compared}
          />
          <StepAnnouncer key={`announcer-${keyOf(trace)}`} trace={trace} />
          <StatusBar key={`status-${keyOf(trace)}`} trace={trace} />
        </>
      )}
      <ContextMenu />
      <Dialogs />
      <DropZone />
      <Notices />
    </div>
  );
}
