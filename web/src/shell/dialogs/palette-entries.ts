/** Entries of the command palette. */

import { goToBookmark } from "../../panels/bookmarks/go-to-bookmark";
import { showObject } from "../../panels/objects/selected-object";
import { openReport } from "../../panels/reports/report-selection";
import { countText } from "../../state/format";
import { follow } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { commands, isEnabled } from "../commands";

/** An entry of the palette. */
export interface PaletteEntry {
  title: string;
  group: string;
  keys: readonly string[];
  run: () => void;
}

const entry = (
  group: string,
  title: string,
  run: () => void,
  keys: readonly string[] = [],
): PaletteEntry => ({ group, title, run, keys });

/** Context kinds for display. */
const CONTEXTS: Record<string, string> = { thread: "Thread", "active-object": "Active object" };

/** All current entries: commands first, then items of the trace. */
export function paletteEntries(trace: TraceState | null): PaletteEntry[] {
  const runnable = commands.filter((one) => one.id !== "palette" && isEnabled(one));
  const found = runnable.map((one) => entry(one.group, one.title, one.run, one.keys));
  if (!trace) return found;
  const { contexts, objects } = trace.overview;
  return [
    ...found,
    ...trace.overview.reports.map(({ kind, title }) =>
      entry("Report", title, () => openReport(trace, { kind })),
    ),
    ...contexts.map(({ kind, name }, context) =>
      entry(CONTEXTS[kind] ?? "Context", name, () => follow(trace, { mode: "context", context })),
    ),
    ...objects.map(({ class: what, name }, object) =>
      entry(`Object: ${what}`, name, () => showObject(trace, object)),
    ),
    ...trace.bookmarks.value.map((bookmark) =>
      entry(
        "Bookmark",
        bookmark.note || `event ${countText(bookmark.event)}`,
        () => void goToBookmark(trace, bookmark),
      ),
    ),
  ];
}
