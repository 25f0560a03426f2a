/** Keyboard navigation of tabs. */

import { HORIZONTAL, itemForKey } from "./item-keys";

/** Focuses and selects another tab. */
export function onTabKeys(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof Element)) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const tab = itemForKey(tabs, event, HORIZONTAL);
  if (tab === null || !tabs.includes(document.activeElement as HTMLElement)) return;
  event.preventDefault();
  tab.focus();
  tab.click();
}
