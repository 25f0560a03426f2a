/** Start page, shown while no trace is open. */

import { FORMATS } from "../session/wire";
import { listText } from "../state/format";
import { Button } from "./controls";
import { chooseFiles } from "./files";
import { Icon } from "./Icon";
import { RecentList } from "./RecentList";
import { SampleList } from "./SampleList";
import "./start.css";

export function StartPage() {
  return (
    <main class="start">
      <div class="start-card">
        <p class="title">rtoscope</p>
        <p>An oscilloscope for threads.</p>
        <Button class="drop-here" onClick={chooseFiles}>
          <Icon name="open" />
          <span>Drop a trace here, or choose a file</span>
        </Button>
        <p class="muted">
          {listText(FORMATS)}, packed or not; traces in memory also as Intel HEX, S-records or hex
          text. Each file opens in a tab. Press <kbd>?</kbd> for keyboard shortcuts.
        </p>
        <RecentList />
        <SampleList />
      </div>
    </main>
  );
}
