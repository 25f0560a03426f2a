/** Context menu of a lane. */

import { createPortal } from "preact/compat";
import { useLayoutEffect, useRef } from "preact/hooks";
import { threadNoun } from "../../state/contexts";
import { shownClock } from "../../state/format";
import { GROUPINGS } from "../../state/lane-rows";
import { SORTINGS } from "../../state/lane-sorting";
import { laneFacts } from "../tooltip/facts";
import type { TimelineView } from "../view";
import { interactingLanes } from "./interacting-lanes";
import "./menu.css";

/** Position of the menu. */
export interface MenuPosition {
  lane: number;
  x: number;
  y: number;
  /** Element to focus when the menu closes. */
  from: HTMLElement;
}

interface LaneMenuProps {
  view: TimelineView;
  place: MenuPosition;
  close: () => void;
}

interface MenuItem {
  title: string;
  run: () => void;
  /** For a choice among several. */
  chosen?: boolean;
  disabled?: boolean;
}

export function LaneMenu({ view, place, close }: LaneMenuProps) {
  const { trace } = view;
  const { lanes, overview } = trace;
  const { lane } = place;
  const box = useRef<HTMLDivElement>(null);
  const lanesKind = overview.lanes[lane]?.kind;
  const partners = interactingLanes(view, lane);
  const isAttached =
    ["isr", "interrupts-off", "machine"].includes(lanesKind ?? "") && !lanes.isPinned(lane);

  const sections: { title: string; items: MenuItem[] }[] = [
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
        run: () => {
          lanes.grouping.value = by;
        },
      })),
    },
  ];

  const leave = (back: boolean) => {
    close();
    if (back) place.from.focus({ preventScroll: true });
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const { offsetWidth: width, offsetHeight: height } = element;
    element.style.left = `${Math.max(4, Math.min(place.x, window.innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(place.y, window.innerHeight - height - 4))}px`;
    element.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !element.contains(event.target)) close();
    };
    window.addEventListener("pointerdown", outside, true);
    return () => window.removeEventListener("pointerdown", outside, true);
  }, [place]);

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to =
      event.key === "ArrowDown"
        ? (at + 1) % items.length
        : event.key === "ArrowUp"
          ? (at - 1 + items.length) % items.length
          : event.key === "Home"
            ? 0
            : event.key === "End"
              ? items.length - 1
              : null;
    if (to !== null) items[to]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") leave(true);
    // A menu keeps all keys; Enter and Space press its buttons.
    event.stopPropagation();
    if (to !== null || event.key === "Escape" || event.key === "Tab") event.preventDefault();
  };

  return createPortal(
    <div
      class="lane-menu"
      role="menu"
      aria-label={`Lane ${overview.lanes[lane]?.name ?? ""}`}
      ref={box}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      <div class="lane-menu-facts">
        <strong>{overview.lanes[lane]?.name}</strong>
        <dl>
          {laneFacts(overview, lane, shownClock(trace)).map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {sections.map(({ title, items }) => (
        <fieldset key={title} aria-label={title}>
          <div class="lane-menu-title" aria-hidden="true">
            {title}
          </div>
          {items.map((item) => (
            <button
              key={item.title}
              type="button"
              tabIndex={-1}
              role={item.chosen === undefined ? "menuitem" : "menuitemradio"}
              {...(item.chosen === undefined ? {} : { "aria-checked": item.chosen })}
              aria-disabled={item.disabled ?? false}
              onClick={() => {
                if (item.disabled) return;
                leave(true);
                item.run();
              }}
            >
              {item.title}
            </button>
          ))}
        </fieldset>
      ))}
    </div>,
    document.body,
  );
}
