/** Context menu, opened by a right click, the menu key or a long press. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { FactList } from "../../panels/FactList";
import { Button } from "../controls";
import { itemForKey, VERTICAL } from "../item-keys";
import { contextMenu, type OpenContextMenu } from "./context-menu";
import "./context-menu.css";

export function ContextMenu() {
  const { value: menu } = contextMenu;
  return menu === null ? null : (
    <section aria-label="Context menu">
      <Opened menu={menu} />
    </section>
  );
}

function close(): void {
  contextMenu.value = null;
}

function Opened({ menu }: { menu: OpenContextMenu }) {
  const box = useRef<HTMLDivElement>(null);
  const leave = () => {
    close();
    menu.from.focus({ preventScroll: true });
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const { offsetWidth: width, offsetHeight: height } = element;
    element.style.left = `${Math.max(4, Math.min(menu.x, window.innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(menu.y, window.innerHeight - height - 4))}px`;
    element.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !element.contains(event.target)) close();
    };
    window.addEventListener("pointerdown", outside, true);
    return () => window.removeEventListener("pointerdown", outside, true);
  }, [menu]);

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const item = itemForKey(items, event, VERTICAL);
    item?.focus();
    const leaves = event.key === "Escape" || event.key === "Tab";
    if (leaves) leave();
    // A menu keeps all keys; Enter and Space press its buttons.
    event.stopPropagation();
    if (item !== null || leaves) event.preventDefault();
  };

  return (
    <div
      class="context-menu"
      role="menu"
      aria-label={menu.label}
      aria-description={menu.facts.map((fact) => fact.join(" ")).join(", ")}
      tabIndex={-1}
      ref={box}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      <div class="context-menu-facts" aria-hidden="true">
        <strong>{menu.heading}</strong>
        <FactList facts={menu.facts} />
      </div>
      {menu.sections.map(({ title, items }) => (
        <fieldset key={title} aria-label={title}>
          <div class="context-menu-title" aria-hidden="true">
            {title}
          </div>
          {items.map((item) => (
            <Button
              key={item.title}
              tabIndex={-1}
              role={item.chosen === undefined ? "menuitem" : "menuitemradio"}
              {...(item.chosen === undefined ? {} : { "aria-checked": item.chosen })}
              aria-disabled={item.disabled ?? false}
              onClick={() => {
                if (item.disabled) return;
                leave();
                item.run();
              }}
            >
              {item.title}
            </Button>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
