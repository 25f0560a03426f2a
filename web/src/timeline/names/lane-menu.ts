/** Context menu of a lane. */

import type { ContextMenuContents } from "../../shell/context-menu/context-menu";
import { set } from "../../shell/controls";
import { threadNoun } from "../../state/contexts";
import { shownClock } from "../../state/format";
import { GROUPINGS } from "../../state/lane-rows";
import { SORTINGS } from "../../state/lane-sorting";
import { laneFacts } from "../tooltip/facts";
import type { TimelineView } from "../view";
import { interactingLanes } from "./interacting-lanes";

export function laneMenu(view: TimelineView, lane: number): ContextMenuContents {
  const { trace } = view;
  const { lanes, overview } = trace;
  const name = overview.lanes[lane]?.name ?? "";
  const lanesKind = overview.lanes[lane]?.kind;
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
      items: GROUPINGS.map(({ by, title }) => ({
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
