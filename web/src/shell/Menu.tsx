/** Menu of all panels, and of commands that narrow windows hide. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { command, isApplicable, isEnabled } from "./commands";
import { Button } from "./controls";
import { Icon } from "./Icon";
import { itemForKey, VERTICAL } from "./item-keys";
import { displayKeys } from "./key-names";
import { bottomPanels, sidePanels } from "./panels";
import "./menu.css";

/** Element id of the menu. */
export const MENU_ID = "main-menu";

const PANELS = [...sidePanels, ...bottomPanels].map(({ name }) => name);
const COMMANDS = [
  "bookmark",
  "note",
  "keep-range",
  "pin",
  "clock",
  "axis",
  "zoom-whole",
  "zoom-range",
  "first",
  "last",
  "go-to",
  "post-arrows",
  "fill-lanes",
  "png",
  "raw-events",
  "print",
  "theme",
  "palette",
  "keys",
];

function Item({ id, close }: { id: string; close: () => void }) {
  const one = command(id);
  if (!isApplicable(one)) return null;
  const [key] = one.keys;
  const { pressed } = one;
  return (
    <Button
      role={pressed ? "menuitemcheckbox" : "menuitem"}
      {...(pressed ? { "aria-checked": pressed() } : {})}
      tabIndex={-1}
      aria-label={one.title}
      disabled={!isEnabled(one)}
      onClick={() => {
        close();
        // Its key handler must not find the menu still open.
        queueMicrotask(one.run);
      }}
    >
      <span class="title">{one.title}</span>
      {key !== undefined && <kbd data-key={displayKeys(key).join("+")} />}
    </Button>
  );
}

export function Menu() {
  const isOpen = useSignal(false);
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => list.current?.hidePopover();
  const items = () => [
    ...(list.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? []),
  ];
  useEffect(() => {
    if (isOpen.value) items()[0]?.focus();
  }, [isOpen.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    const item = itemForKey(items(), event, VERTICAL);
    if (item === null) {
      if (event.key === "Tab") close();
      return;
    }
    event.preventDefault();
    item.focus();
  };
  return (
    <>
      <button
        type="button"
        ref={button}
        class="menu-button"
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        popoverTarget={MENU_ID}
        title="Panels and commands"
      >
        Menu
        <Icon name="down" />
      </button>
      <div
        ref={list}
        id={MENU_ID}
        class="main-menu"
        popover="auto"
        role="menu"
        aria-label="Menu"
        tabIndex={-1}
        data-open={isOpen.value ? "" : undefined}
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          isOpen.value = newState === "open";
        }}
      >
        {isOpen.value && (
          <>
            <fieldset aria-label="Panels">
              <div class="menu-title" aria-hidden="true">
                Panels
              </div>
              {PANELS.map((id) => (
                <Item key={id} id={id} close={close} />
              ))}
            </fieldset>
            <fieldset aria-label="Commands">
              <div class="menu-title" aria-hidden="true">
                Commands
              </div>
              {COMMANDS.map((id) => (
                <Item key={id} id={id} close={close} />
              ))}
            </fieldset>
          </>
        )}
      </div>
    </>
  );
}
