/** The page. */

import { connection } from "../session/connection";
import type { TraceState } from "../state/trace";
import { active, openings } from "../state/viewer";
import { ConnectionBanner } from "./ConnectionBanner";
import { DropZone } from "./DropZone";
import { Dialogs } from "./dialogs/Dialogs";
import { HealthBanner } from "./HealthBanner";
import { LiveBar } from "./live/LiveBar";
import { Notices } from "./Notices";
import { OpeningList, OpeningPage } from "./OpeningList";
import { StartPage } from "./StartPage";
import { StatusBar } from "./StatusBar";
import { Toolbar } from "./Toolbar";
import { TraceTabs } from "./TraceTabs";
import { Workspace } from "./Workspace";
import "./theme.css";
import "./base.css";
import "./app.css";
import "./print.css";

/** Changes when another trace is shown, or everything must be queried again. */
const keyOf = ({ serial, reloads }: TraceState) => `${serial}-${reloads.value}`;

export function App() {
  const trace = active.value;
  const isOpening = openings.value.length > 0;
  return (
    <div class="app" data-connection={connection.value}>
      <Toolbar />
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
          <HealthBanner key={keyOf(trace)} trace={trace} />
          <Workspace key={`workspace-${keyOf(trace)}`} trace={trace} />
          <StatusBar key={`status-${keyOf(trace)}`} trace={trace} />
        </>
      )}
      <Dialogs />
      <DropZone />
      <Notices />
    </div>
  );
}
