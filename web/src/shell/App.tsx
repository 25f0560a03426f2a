/** The page. */

import { active } from "../state/viewer";
import { Dialogs } from "./dialogs/Dialogs";
import { DropZone } from "./DropZone";
import { HealthBanner } from "./HealthBanner";
import { LiveBar } from "./live/LiveBar";
import { Notices } from "./Notices";
import { Start } from "./Start";
import { StatusBar } from "./StatusBar";
import { Toolbar } from "./Toolbar";
import { TraceTabs } from "./TraceTabs";
import { Workspace } from "./Workspace";
import "./theme.css";
import "./base.css";
import "./app.css";
import "./print.css";

export function App() {
  const trace = active.value;
  return (
    <div class="app">
      <Toolbar />
      <TraceTabs />
      {trace === null ? <Start /> : (
        <>
          {trace.live && <LiveBar key={`live-${trace.id}`} live={trace.live} />}
          <HealthBanner key={trace.id} trace={trace} />
          <Workspace key={`workspace-${trace.id}`} trace={trace} />
          <StatusBar key={`status-${trace.id}`} trace={trace} />
        </>
      )}
      <Dialogs />
      <DropZone />
      <Notices />
    </div>
  );
}
