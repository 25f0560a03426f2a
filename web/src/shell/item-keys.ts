/** Keyboard navigation among items of a menu or tabs. */

/** The item that an arrow, Home or End leads to; `null` for another key. */
export function itemForKey(
  items: readonly HTMLElement[],
  { key }: KeyboardEvent,
  [back, forward]: readonly [string, string],
): HTMLElement | null {
  const at = items.indexOf(document.activeElement as HTMLElement);
  const places: Record<string, number> = {
    [back]: at < 0 ? -1 : at - 1,
    [forward]: at + 1,
    Home: 0,
    End: -1,
  };
  const place = places[key];
  return place === undefined ? null : (items.at(place % items.length) ?? null);
}

/** Keys of items below each other. */
export const VERTICAL = ["ArrowUp", "ArrowDown"] as const;
/** Keys of items beside each other. */
export const HORIZONTAL = ["ArrowLeft", "ArrowRight"] as const;
