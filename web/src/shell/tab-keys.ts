/** Keyboard navigation of tabs. */

/** Focuses and selects another tab. */
export function onTabKeys(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof Element)) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const places: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: tabs.length - 1,
  };
  const place = places[event.key];
  if (at < 0 || place === undefined) return;
  event.preventDefault();
  const tab = tabs[(place + tabs.length) % tabs.length];
  tab?.focus();
  tab?.click();
}
