/** Commands for files and tabs. */

import { activeId, closeTrace, showError, traces } from "../../state/viewer";
import { locationOf } from "../address";
import { copyText } from "../clipboard";
import { chooseFiles } from "../files";
import { encodeLocation } from "../view-location";
import { type Command, commandsOf } from "./command";

const { plain, ofTrace } = commandsOf("Files");

function turn(by: number): void {
  const tabs = traces.peek();
  const at = tabs.findIndex((trace) => trace.id === activeId.peek());
  const next = tabs[(at + by + tabs.length) % tabs.length];
  if (next) activeId.value = next.id;
}

const hasTabs = () => traces.value.length > 1;

export const fileCommands: readonly Command[] = [
  plain("open", "Open a file…", ["O", "Ctrl+O"], chooseFiles, { icon: "open" }),
  ofTrace("close", "Close this trace", [], (trace) => {
    closeTrace(trace.id).catch(showError);
  }),
  ofTrace("link", "Copy a link to this view", [], (trace) => {
    const link = new URL(`#${encodeLocation(locationOf(trace))}`, window.location.href);
    void copyText(link.href, "Link copied. It opens this view while the server runs.");
  }),
  plain("previous-tab", "Previous tab", ["["], () => turn(-1), { enabled: hasTabs }),
  plain("next-tab", "Next tab", ["]"], () => turn(1), { enabled: hasTabs }),
];
