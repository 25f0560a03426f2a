/** Button that opens the menu of all panels, while a row of panels has no room for each. */

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Button } from "./controls";
import { MENU_ID } from "./Menu";

/** `row` wraps, and shows its first line only. */
export function MorePanels({ row }: { row: RefObject<HTMLElement | null> }) {
  const hasMore = useSignal(false);
  useLayoutEffect(() => {
    const element = row.current;
    if (element === null) return undefined;
    const measure = () => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
      hasMore.value = scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return (
    <Button
      class="plain more-panels"
      aria-haspopup="menu"
      aria-label="More panels"
      title="More panels"
      popoverTarget={MENU_ID}
      style={{ visibility: hasMore.value ? "visible" : "hidden" }}
    >
      …
    </Button>
  );
}
