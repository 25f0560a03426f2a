/** Context menu of a lane. */

import { openReport } from "../../panels/reports/report-selection";
import type { ContextMenuContents } from "../../shell/context-menu/context-menu";
import { set } from "../../shell/controls";
import { editLane } from "../../shell/dialogs/open-dialog";
import { threadNoun } from "../../state/contexts";
import { shownClock } from "../../state/format";
import { SORTINGS } from "../../state/lane-sorting";
import { settings } from "../../state/settings";
import { showError } from "../../state/viewer";
import { laneFacts } from "../tooltip/facts";
import type { TimelineView } from "../view";
import { interactingLanes } from "./interacting-lanes";

const NO_LOOK = { name: undefined, colour: undefined, height: undefined, group: undefined };

/** Shows the figures of the selected lanes, or of a lane that is not among them. */
function showFigures({ trace }: TimelineView, lane: number): void {
  if (!trace.lanes.selected.peek().has(lane)) trace.lanes.select([lane]);
  trace.range.value ??= trace.queryWindow();
  settings.sidePanel.value = "range";
}

/** Shows who preempted the thread of a lane, in the range or the visible part. */
function showPreemptions({ trace }: TimelineView, number: number): void {
  const lane = trace.lanes.lane(number);
  if (lane?.kind !== "thread") return;
  const scope = trace.range.peek() === null ? "visible" : "range";
  openReport(trace, { kind: "preemptions", threads: [lane.context], scope });
}

export function laneMenu(view: TimelineView, lane: number): ContextMenuContents {
  const { trace } = view;
  const { lanes, overview } = trace;
  const name = lanes.title(lane);
  const lanesKind = overview.lanes[lane]?.kind;
  const isOfThread = lanesKind === "thread" || lanesKind === "machine";
  const hasPreemptions =
    lanesKind === "thread" && overview.reports.some(({ kind }) => kind === "preemptions");
  const partners = interactingLanes(view, lane);
  const isAttached =
    ["isr", "interrupts-off", "machine"].includes(lanesKind ?? "") && !lanes.isPinned(lane);
  const sections = [
    {
      title: "Lane",
      items: [
        { title: "Move to top", run: () => lanes.toTop(lane), disabled: isAttached },
        { title: "Move to bottom", run: () => lanes.toBottom(lane), disabled: isAttached },
        {
          title: lanes.isPinned(lane) ? "Unpin" : "Pin",
          run: () => lanes.togglePinned(lane),
        },
        ...(isOfThread
          ? [
              {
                title: "Figures in the range or the visible part",
                run: () => showFigures(view, lane),
              },
            ]
          : []),
        ...(hasPreemptions
          ? [{ title: "Who preempted it", run: () => showPreemptions(view, lane) }]
          : []),
        { title: "Name, colour, height, group…", run: () => editLane(lane) },
        ...(lanes.look(lane)
          ? [
              {
                title: "Reset name, colour, height and group",
                run: () => void trace.changeLook(lane, NO_LOOK).catch(showError),
              },
            ]
          : []),
        { title: "Hide", run: () => lanes.hide(lane) },
        {
          title: "Show only lanes interacting with this one",
          run: () => lanes.showOnly(partners ?? new Set([lane])),
          disabled: partners === null,
        },
        {
          title: `Show all lanes${lanes.hidden.value.size > 0 ? ` (${lanes.hidden.value.size} hidden)` : ""}`,
          run: () => lanes.showAll(),
          disabled: lanes.hidden.value.size === 0,
        },
      ],
    },
    {
      title: `Sort ${threadNoun(overview)} by`,
      items: SORTINGS.map(({ by, title }) => ({
        title,
        chosen: lanes.sorting.value === by,
        run: () => lanes.sort(by),
      })),
    },
    {
      title: `Group ${threadNoun(overview)} by`,
      items: lanes.groupings.value.map(({ by, title }) => ({
        title,
        chosen: lanes.grouping.value === by,
        run: set(lanes.grouping, by),
      })),
    },
  ];
  return {
    label: `Lane ${name}`,
    heading: name,
    facts: laneFacts(overview, lane, shownClock(trace)),
    sections,
  };
}
