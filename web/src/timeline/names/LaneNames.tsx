/** The lane names: a tree with keyboard navigation and rows that can be dragged. */

import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { plural, shownClock } from "../../state/format";
import type { LaneRow, TimelineRow } from "../../state/lane-rows";
import { RULER_HEIGHT } from "../draw/ruler";
import type { PlacedRow } from "../layout";
import { contextProperty } from "../palette";
import { laneFacts } from "../tooltip/facts";
import type { TimelineView } from "../view";
import { LaneMenu, type MenuPosition } from "./LaneMenu";
import { useRowDragging } from "./row-dragging";
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
  const menu = useSignal<MenuPosition | null>(null);
  const dragging = useRowDragging(view);
  const all = useComputed(() => {
    const { pinned, scrolled } = view.layout.value;
    return [...pinned.rows, ...scrolled.rows];
  });
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
    menu.value = { lane: row.lane, x: x ?? box.left + 24, y: y ?? box.bottom, from: element };
  };

  const onKeyDown = (event: KeyboardEvent, row: TimelineRow) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const at = all.value.findIndex((other) => keyOf(other) === keyOf(row));
    const vertical = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (vertical !== 0 && event.altKey) {
      if (row.kind === "lane" && lanes.moveBy(row.lane, vertical)) focus(row);
    } else if (vertical !== 0) {
      focus(all.value[at + vertical]);
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
    const key = keyOf(row);
    const name = row.kind === "group" ? row.title : (overview.lanes[row.lane]?.name ?? "");
    const lane = row.kind === "lane" ? overview.lanes[row.lane] : undefined;
    // Right below its active object, the machine's name would be redundant.
    const isMachine = row.kind === "lane" && row.attached && lane?.kind === "machine";
    const swatch = lane?.kind === "thread" ? contextProperty(lane.context) : null;
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
        data-dragged={
          dragging.lane.value !== null && row.kind === "lane" && row.lane === dragging.lane.value
            ? ""
            : undefined
        }
        tabIndex={key === tabbed ? 0 : -1}
        title={row.kind === "lane" ? titleOf(row) : undefined}
        style={{ transform: `translateY(${y}px)`, height: `${placed.height}px` }}
        onFocus={() => {
          focused.value = key;
          view.hoveredName.value = row.kind === "lane" ? row.lane : null;
        }}
        onBlur={() => {
          view.hoveredName.value = null;
        }}
        onPointerEnter={() => {
          view.hoveredName.value = row.kind === "lane" ? row.lane : null;
        }}
        onPointerLeave={() => {
          view.hoveredName.value = null;
        }}
        onKeyDown={(event) => onKeyDown(event, row)}
        onPointerDown={(event) => dragging.begin(event, placed)}
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
            onClick={() => toggle(row)}
          >
            {row.expanded ? "▾" : "▸"}
          </span>
        )}
        {swatch === null ? null : (
          <span class="lane-swatch" style={{ background: `var(${swatch})` }} />
        )}
        <span class="lane-text">{isMachine ? "states" : name}</span>
        {row.kind === "group" ? <span class="lane-note">{row.count}</span> : noteOf(row)}
      </div>
    );
  };

  const titleOf = (row: LaneRow): string =>
    [
      overview.lanes[row.lane]?.name ?? "",
      ...laneFacts(overview, row.lane, shownClock(trace)).map(
        ({ name, value }) => `${name}: ${value}`,
      ),
    ].join("\n");

  const noteOf = (row: LaneRow) => {
    const lane = overview.lanes[row.lane];
    const context = lane?.kind === "thread" ? overview.contexts[lane.context] : undefined;
    if (context === undefined || context.priority === null) return null;
    return (
      <span class="lane-note" title={`Priority ${context.priority}`}>
        {context.priority}
      </span>
    );
  };

  const pinned = visible.filter((placed) => placed.pinned);
  const scrolled = visible.filter((placed) => !placed.pinned);
  const pinnedHeight = layout.pinned.height;
  return (
    <div
      class="lane-names"
      role="tree"
      aria-label="Lanes"
      ref={tree}
      onWheel={(event) => scroll(view.scrollTop.peek() + event.deltaY)}
      style={{ top: `${RULER_HEIGHT}px` }}
    >
      <fieldset class="lane-rows" aria-label="Pinned lanes" style={{ height: `${pinnedHeight}px` }}>
        {pinned.map((placed) => rendered(placed, placed.y))}
      </fieldset>
      <fieldset
        class="lane-rows rest"
        aria-label="Other lanes"
        style={{ top: `${pinnedHeight}px`, bottom: 0 }}
      >
        {scrolled.map((placed) => rendered(placed, placed.y - pinnedHeight))}
      </fieldset>
      {dragging.lineAt.value === null ? null : (
        <div class="lane-drop" style={{ transform: `translateY(${dragging.lineAt.value}px)` }} />
      )}
      {menu.value === null ? null : (
        <LaneMenu
          view={view}
          place={menu.value}
          close={() => {
            menu.value = null;
          }}
        />
      )}
    </div>
  );
}

function labelOf(row: TimelineRow, name: string): string {
  return row.kind === "group" ? `${name}, ${plural(row.count, "lane")}` : name;
}
