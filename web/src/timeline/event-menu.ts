/** Context menu of an event, in the timeline and in event tables. */

import { quoteName } from "../panels/search/compose-filter";
import { runSearch } from "../panels/search/run-search";
import { copyText } from "../shell/clipboard";
import { command, isApplicable, isEnabled } from "../shell/commands";
import type { ContextMenuContents, MenuItem } from "../shell/context-menu/context-menu";
import { set } from "../shell/controls";
import { countText, durationText, shownClock } from "../state/format";
import { settings } from "../state/settings";
import type { TraceState } from "../state/trace";
import { showError } from "../state/viewer";
import { factsOf } from "./tooltip/facts";

/** Commands for the selected event, in this order. */
const COMMANDS = ["pin", "bookmark", "marker-a", "marker-b"];

/** Selects an event and returns its menu; `null` if it does not exist. */
export async function eventMenu(
  trace: TraceState,
  event: number,
): Promise<ContextMenuContents | null> {
  const details = await trace.client.query({ query: "event", event });
  const place = await trace.client.query({ query: "locate", axis: "index", at: event });
  if (details === null || place === null) return null;
  trace.selected.value = place;
  const context = trace.overview.contexts[place.context];
  const time = durationText(place.time, shownClock(trace));
  const find = (title: string, filter: string): MenuItem => ({
    title,
    run: () => {
      settings.sidePanel.value = "search";
      void runSearch(trace, filter).catch(showError);
    },
  });
  return {
    label: `Event ${event}`,
    heading: details.name,
    facts: factsOf([
      ["Event", countText(event)],
      ["Time", time],
      context !== undefined && ["Context", context.name],
    ]),
    sections: [
      {
        title: "Event",
        items: [
          {
            title: "Show details",
            run: set(settings.sidePanel, "details"),
          },
          ...COMMANDS.map(command).flatMap((one): MenuItem[] =>
            isApplicable(one)
              ? [{ title: one.title, run: one.run, disabled: !isEnabled(one) }]
              : [],
          ),
          {
            title: "Copy number and time",
            run: () => void copyText(`${event}\t${time}`, "Copied."),
          },
        ],
      },
      {
        title: "Find",
        items: [
          find("Events of this kind", `kind == ${quoteName(details.name)}`),
          ...(context
            ? [find("Events of this context", `context == ${quoteName(context.name)}`)]
            : []),
        ],
      },
    ],
  };
}
