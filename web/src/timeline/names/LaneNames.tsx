/** The lane names: a tree with keyboard navigation and rows that can be dragged. */

import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { contextMenu } from "../../shell/context-menu/context-menu";
import { set } from "../../shell/controls";
import { editLane } from "../../shell/dialogs/open-dialog";
import { plural, shownClock } from "../../state/format";
import type { LaneRow, TimelineRow } from "../../state/lane-rows";
import { loadSelection } from "../../state/load-selection";
import { RULER_HEIGHT } from "../draw/ruler";
import type { PlacedRow } from "../layout";
import { contextStyle } from "../palette";
import { laneFacts } from "../tooltip/facts";
import type { TimelineView } from "../view";
import { LaneEdge } from "./LaneEdge";
import { laneMenu } from "./lane-menu";
import { useRowDragging } from "./row-dragging";
import { TopRowName } from "./TopRowName";
import "./names.css";

interface LaneNamesProps {
  view: TimelineView;
  /** Sets the scroll position. */
  scroll: (top: number) => void;
}

/** Rendered pixels outside the view, so that scrolling shows no holes. */
const OVERSCAN = 120;

const keyOf = (row: TimelineRow): string => (row.kind === "group" ? row.group : `lane ${row.lane}`);

export function LaneNames({ view, scroll }: LaneNamesProps) {
  const { trace } = view;
  const { lanes, overview } = trace;
  const tree = useRef<HTMLDivElement>(null);
  /** Row in the tab order. */
  const focused = useSignal<string | null>(null);
  const dragging = useRowDragging(view);
  const all = useComputed(() => {
    const { pinned, scrolled } = view.layout.value;
    return [...pinned.rows, ...scrolled.rows].filter(
      (row) => row.kind !== "load" && row.kind !== "intervals" && row.kind !== "result",
    );
  });
  const selectedLane = loadSelection(trace).value?.lane;
  const refocus = useRef<string | null>(null);

  useLayoutEffect(() => {
    // A row moved by a key keeps the focus.
    if (refocus.current === null) return;
    const element = tree.current?.querySelector<HTMLElement>(
      `[data-row="${CSS.escape(refocus.current)}"]`,
    );
    refocus.current = null;
    element?.focus({ preventScroll: true });
  });

  const layout = view.layout.value;
  const top = view.scrollTop.value;
  const visible = layout.visible(top, view.height.value, OVERSCAN);
  const tabbed = all.value.some((row) => keyOf(row) === focused.value)
    ? focused.value
    : all.value[0] === undefined
      ? null
      : keyOf(all.value[0]);

  const focus = (row: TimelineRow | undefined) => {
    if (row === undefined) return;
    focused.value = keyOf(row);
    refocus.current = keyOf(row);
    if (row.kind === "lane") view.scrollTo(row.lane, scroll);
  };
  const toggle = (row: TimelineRow) => {
    if (row.kind === "group") lanes.toggleGroup(row.group);
    else if (row.expanded !== null) lanes.toggleAttached(row.lane);
  };
  const openMenu = (row: TimelineRow, element: HTMLElement, x?: number, y?: number) => {
    if (row.kind === "group") return;
    const box = element.getBoundingClientRect();
    const place = { x: x ?? box.left + 24, y: y ?? box.bottom, from: element };
    contextMenu.value = { ...laneMenu(view, row.lane), ...place };
  };

  const select = (event: MouseEvent, lane: number) => {
    const adds = event.ctrlKey || event.metaKey;
    lanes.selectBy(lane, event.shiftKey ? "through" : adds ? "toggle" : "only");
  };

  const onKeyDown = (event: KeyboardEvent, row: TimelineRow) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const at = all.value.findIndex((other) => keyOf(other) === keyOf(row));
    const vertical = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (vertical !== 0 && event.altKey) {
      if (row.kind === "lane" && lanes.moveBy(row.lane, vertical)) focus(row);
    } else if (vertical !== 0) {
      focus(all.value[at + vertical]);
    } else if (event.key === " " && row.kind === "lane") {
      lanes.selectBy(row.lane, event.shiftKey ? "through" : "toggle");
    } else if (
      event.key === "Enter" ||
      event.key === "ContextMenu" ||
      (event.key === "F10" && event.shiftKey)
    ) {
      if (row.kind === "group") toggle(row);
      else openMenu(row, event.currentTarget);
    } else if (
      (event.key === "ArrowRight" && row.expanded === false) ||
      (event.key === "ArrowLeft" && row.expanded === true)
    ) {
      toggle(row);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const rendered = (placed: PlacedRow, y: number) => {
    const { row } = placed;
    const place = { transform: `translateY(${y}px)`, height: `${placed.height}px` };
    if (row.kind === "load" || row.kind === "intervals" || row.kind === "result") {
      const of = row.kind === "load" ? row.core : row.kind === "intervals" && row.key;
      return (
        <TopRowName key={`${row.kind} ${of}`} view={view} row={row} place={place} scroll={scroll} />
      );
    }
    const key = keyOf(row);
    const name = row.kind === "group" ? row.title : lanes.title(row.lane);
    const own = row.kind === "lane" ? lanes.look(row.lane)?.name : undefined;
    const lane = row.kind === "lane" ? overview.lanes[row.lane] : undefined;
    // Right below its active object, the machine's name would be redundant.
    const isMachine = row.kind === "lane" && row.attached && lane?.kind === "machine";
    const swatch = lane?.kind === "thread" ? contextStyle(trace, lane.context) : null;
    return (
      <div
        key={key}
        class={`lane-name ${row.kind}${isMachine ? " machine" : ""}`}
        role="treeitem"
        data-row={key}
        data-lane={row.kind === "lane" ? row.lane : undefined}
        aria-level={row.kind === "lane" ? row.level : 1}
        aria-label={labelOf(row, name)}
        {...(row.expanded === null ? {} : { "aria-expanded": row.expanded })}
        aria-haspopup={row.kind === "lane" ? "menu" : undefined}
        data-selected={row.kind === "lane" && selectedLane === row.lane ? "" : undefined}
        aria-selected={row.kind === "lane" ? lanes.selected.value.has(row.lane) : undefined}
        data-dragged={row.kind === "lane" && row.lane === dragging.lane.value ? "" : undefined}
        tabIndex={key === tabbed ? 0 : -1}
        title={row.kind === "lane" ? titleOf(row) : undefined}
        style={place}
        onFocus={() => {
          focused.value = key;
          view.hoveredName.value = row.kind === "lane" ? row.lane : null;
        }}
        onBlur={set(view.hoveredName, null)}
        onPointerEnter={set(view.hoveredName, row.kind === "lane" ? row.lane : null)}
        onPointerLeave={set(view.hoveredName, null)}
        onKeyDown={(event) => onKeyDown(event, row)}
        onPointerDown={(event) => dragging.begin(event, placed)}
        onClick={(event) => row.kind === "lane" && select(event, row.lane)}
        onDblClick={() => row.kind === "lane" && editLane(row.lane)}
        onContextMenu={(event) => {
          event.preventDefault();
          openMenu(row, event.currentTarget, event.clientX, event.clientY);
        }}
      >
        {row.kind === "lane" && row.level > 1 ? <span class="lane-indent" /> : null}
        {row.expanded === null ? null : (
          <span
            class="lane-toggle"
            aria-hidden="true"
            onPointerDown={(event) => event.stopPropagation()}
            onDblClick={(event) => event.stopPropagation()}
            onClick={(event) => {
              event.stopPropagation();
              toggle(row);
            }}
          >
            {row.expanded ? "▾" : "▸"}
          </span>
        )}
        {swatch === null ? null : <span class="lane-swatch" style={{ background: swatch }} />}
        <span class="lane-text">
          {isMachine ? "states" : (own ?? name)}
          {own !== undefined && <span class="lane-recorded"> {lane?.name}</span>}
        </span>
        {row.kind === "group" ? <span class="lane-note">{row.count}</span> : noteOf(row)}
        {row.kind === "lane" && <LaneEdge view={view} placed={placed} lane={row.lane} />}
      </div>
    );
  };

  const titleOf = (row: LaneRow): string =>
    [
      lanes.title(row.lane),
      ...laneFacts(overview, row.lane, shownClock(trace)).map((fact) => fact.join(": ")),
    ].join("\n");

  const noteOf = (row: LaneRow) => {
    const lane = overview.lanes[row.lane];
    const context = lane?.kind === "thread" ? overview.contexts[lane.context] : undefined;
    if (context === undefined || context.priority === null) return null;
    return (
      <span class="lane-note" title={`Priority ${context.priority}`} data-note={context.priority} />
    );
  };

  const pinned = visible.filter((placed) => placed.pinned);
  const scrolled = visible.filter((placed) => !placed.pinned);
  const pinnedHeight = layout.pinned.height;
  return (
    <div
      class="lane-names"
      ref={tree}
      onWheel={(event) => scroll(view.scrollTop.peek() + event.deltaY)}
      style={{ top: `${RULER_HEIGHT}px` }}
    >
      <div class="lane-tree" role="tree" aria-label="Lanes" aria-multiselectable="true">
        <fieldset
          class="lane-rows"
          aria-label="Pinned lanes"
          style={{ height: `${pinnedHeight}px` }}
        >
          {pinned.filter(isInTree).map((placed) => rendered(placed, placed.y))}
        </fieldset>
        <fieldset
          class="lane-rows rest"
          aria-label="Other lanes"
          style={{ top: `${pinnedHeight}px`, bottom: 0 }}
        >
          {scrolled.filter(isInTree).map((placed) => rendered(placed, placed.y - pinnedHeight))}
        </fieldset>
      </div>
      <div class="lane-rows" style={{ height: `${pinnedHeight}px` }}>
        {pinned.filter(isBesideTree).map((placed) => rendered(placed, placed.y))}
      </div>
      <div class="lane-rows rest" style={{ top: `${pinnedHeight}px`, bottom: 0 }}>
        {scrolled.filter(isBesideTree).map((placed) => rendered(placed, placed.y - pinnedHeight))}
      </div>
      {dragging.lineAt.value === null ? null : (
        <div class="lane-drop" style={{ transform: `translateY(${dragging.lineAt.value}px)` }} />
      )}
    </div>
  );
}

/** Whether a row is a lane or a group of lanes. The others have controls, which trees must not have. */
function isInTree({ row }: PlacedRow): boolean {
  return row.kind === "lane" || row.kind === "group";
}

function isBesideTree(placed: PlacedRow): boolean {
  return !isInTree(placed);
}

function labelOf(row: TimelineRow, name: string): string {
  return row.kind === "group" ? `${name}, ${plural(row.count, "lane")}` : name;
}
