/** Commands for files and tabs. */

import { activeId, closeTrace, showError, traces } from "../../state/viewer";
import { chooseFiles } from "../files";
import { type Command, traceCommand } from "./command";

const group = "Files";

function turn(by: number): void {
  const tabs = traces.peek();
  const at = tabs.findIndex((trace) => trace.id === activeId.peek());
  const next = tabs[(at + by + tabs.length) % tabs.length];
  if (next) activeId.value = next.id;
}

const hasTabs = () => traces.value.length > 1;

export const fileCommands: readonly Command[] = [
  {
    id: "open",
    title: "Open a file…",
    keys: ["O", "Ctrl+O"],
    group,
    icon: "open",
    run: chooseFiles,
  },
  traceCommand(group, {
    id: "close",
    title: "Close this trace",
    keys: [],
    run: (trace) => {
      closeTrace(trace.id).catch(showError);
    },
  }),
  {
    id: "previous-tab",
    title: "Previous tab",
    keys: ["["],
    group,
    enabled: hasTabs,
    run: () => turn(-1),
  },
  { id: "next-tab", title: "Next tab", keys: ["]"], group, enabled: hasTabs, run: () => turn(1) },
];
