/** Where cards lie. */

/** In pixels from the top left of the area. */
export interface Place {
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

const CARD_WIDTH = 310;
const ACROSS = 3;
/** So much of a card stays visible. */
const VISIBLE = 40;

/** The most that a card takes, and a margin: less than the lower panel without its tabs. */
const CARD_HEIGHT = 224;

/** Where a card lies at first: side by side, at the bottom, so that the timeline stays in sight. */
export function firstPlace(number: number, areaHeight: number): Place {
  const row = Math.floor(number / ACROSS);
  const y = Math.max(0, areaHeight - CARD_HEIGHT - row * 32);
  return { x: 16 + (number % ACROSS) * CARD_WIDTH + row * 24, y };
}

/** The nearest place at which a card can be seen and moved again. */
export function kept({ x, y }: Place, card: Size, area: Size): Place {
  const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));
  return {
    x: clamp(x, VISIBLE - card.width, area.width - VISIBLE),
    y: clamp(y, 0, Math.max(0, area.height - VISIBLE)),
  };
}
