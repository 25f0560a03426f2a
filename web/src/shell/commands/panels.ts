/** Commands that open and close panels. */

import type { Signal } from "@preact/signals";
import { focusSearch } from "../../panels/search/run-search";
import { shownComparison } from "../../state/comparison/comparison";
import { pathSelection, togglePath } from "../../state/critical-path";
import { settings } from "../../state/settings";
import { active } from "../../state/viewer";
import { set } from "../controls";
import { openDialog } from "../dialogs/open-dialog";
import {
  type Command,
  commandsOf,
  hasTrace,
  tracesActiveObjects,
  tracesCommunication,
  withTrace,
} from "./command";

const { plain } = commandsOf("Panels");

/** A command that opens and closes a panel, in the place of `open`. */
const toggle =
  <P extends string>(open: Signal<P | "">) =>
  (panel: P, title: string, keys: string[]): Command =>
    plain(
      panel,
      title,
      keys,
      () => {
        open.value = open.peek() === panel ? "" : panel;
      },
      { enabled: hasTrace, pressed: () => open.value === panel },
    );
const side = toggle(settings.sidePanel);
const bottom = toggle(settings.bottomPanel);

export const panelCommands: readonly Command[] = [
  {
    ...side("search", "Search…", ["F", "/", "Ctrl+F"]),
    icon: "search",
    run: () => {
      settings.sidePanel.value = "search";
      focusSearch();
    },
  },
  side("details", "Event details", ["I"]),
  {
    ...side("path", "Critical path of the selected event", ["X"]),
    icon: "path",
    enabled: () => {
      const trace = active.value;
      return trace !== null && (trace.selected.value ?? pathSelection(trace).value) !== null;
    },
    usesSelection: true,
    hint: "Select an event first.",
    run: withTrace(togglePath),
  },
  {
    ...side("range", "Selected range", ["Shift+R"]),
    enabled: () => active.value?.range.value != null,
  },
  side("intervals", "Intervals between events", ["Shift+D"]),
  side("reports", "Reports", ["R"]),
  side("objects", "Objects", ["Shift+O"]),
  {
    ...side("communication", "Communication graph", ["U"]),
    isApplicable: tracesCommunication,
  },
  {
    ...side("comparison", "Comparison of recordings", ["Shift+F"]),
    isApplicable: () => shownComparison.value !== null,
  },
  side("bookmarks", "Bookmarks", ["Shift+B"]),
  side("legend", "Legend", ["L"]),
  side("trace", "Trace information", ["Shift+I"]),
  { ...side("sequence", "Sequence diagram", ["Q"]), isApplicable: tracesActiveObjects },
  { ...side("machine", "State machine", ["H"]), isApplicable: tracesActiveObjects },
  bottom("events", "Event table", ["E"]),
  bottom("graphs", "Graphs of load and levels", ["V"]),
  bottom("sql", "SQL queries", ["Y"]),
  plain(
    "palette",
    "Find a command, thread, object or report…",
    ["Ctrl+K", "Ctrl+Shift+P", "F1"],
    set(openDialog, "palette"),
    { icon: "palette" },
  ),
  plain("keys", "Keyboard shortcuts", ["?"], set(openDialog, "keys"), { icon: "help" }),
];
