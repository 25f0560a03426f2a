/** Commands that open and close panels. */

import { focusSearch } from "../../panels/search/run-search";
import { pathSelection, togglePath } from "../../state/critical-path";
import { type BottomPanel, type SidePanel, settings } from "../../state/settings";
import { active } from "../../state/viewer";
import { openDialog } from "../dialogs/open-dialog";
import {
  type Command,
  hasTrace,
  tracesActiveObjects,
  tracesCommunication,
  withTrace,
} from "./command";

const group = "Panels";

function side(panel: SidePanel, id: string, title: string, keys: string[]): Command {
  return {
    id,
    title,
    keys,
    group,
    enabled: hasTrace,
    pressed: () => settings.sidePanel.value === panel,
    run: () => {
      settings.sidePanel.value = settings.sidePanel.peek() === panel ? "" : panel;
    },
  };
}

function bottom(panel: BottomPanel, id: string, title: string, keys: string[]): Command {
  return {
    id,
    title,
    keys,
    group,
    enabled: hasTrace,
    pressed: () => settings.bottomPanel.value === panel,
    run: () => {
      settings.bottomPanel.value = settings.bottomPanel.peek() === panel ? "" : panel;
    },
  };
}

export const panelCommands: readonly Command[] = [
  {
    id: "search",
    title: "Search…",
    keys: ["F", "/", "Ctrl+F"],
    group,
    icon: "search",
    enabled: hasTrace,
    pressed: () => settings.sidePanel.value === "search",
    run: () => {
      settings.sidePanel.value = "search";
      focusSearch();
    },
  },
  side("details", "details", "Event details", ["I"]),
  {
    ...side("path", "path", "Critical path of the selected event", ["X"]),
    icon: "path",
    enabled: () => {
      const trace = active.value;
      return trace !== null && (trace.selected.value ?? pathSelection(trace).value) !== null;
    },
    hint: "Select an event first.",
    run: withTrace(togglePath),
  },
  {
    ...side("range", "range", "Selected range", ["Shift+R"]),
    enabled: () => active.value?.range.value != null,
  },
  side("intervals", "intervals", "Intervals between events", ["Shift+D"]),
  side("reports", "reports", "Reports", ["R"]),
  side("objects", "objects", "Objects", ["Shift+O"]),
  {
    ...side("communication", "communication", "Communication graph", ["U"]),
    isApplicable: tracesCommunication,
  },
  side("bookmarks", "bookmarks", "Bookmarks", ["Shift+B"]),
  side("legend", "legend", "Legend", ["L"]),
  side("trace", "trace", "Trace information", ["Shift+I"]),
  { ...side("sequence", "sequence", "Sequence diagram", ["Q"]), isApplicable: tracesActiveObjects },
  { ...side("machine", "machine", "State machine", ["H"]), isApplicable: tracesActiveObjects },
  bottom("events", "events", "Event table", ["E"]),
  bottom("graphs", "graphs", "Graphs of load and levels", ["V"]),
  bottom("sql", "sql", "SQL queries", ["Y"]),
  {
    id: "palette",
    title: "Find a command, thread, object or report…",
    keys: ["Ctrl+K", "Ctrl+Shift+P", "F1"],
    group,
    icon: "palette",
    run: () => {
      openDialog.value = "palette";
    },
  },
  {
    id: "keys",
    title: "Keyboard shortcuts",
    keys: ["?"],
    group,
    icon: "help",
    run: () => {
      openDialog.value = "keys";
    },
  },
];
