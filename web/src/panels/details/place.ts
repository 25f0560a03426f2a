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

/** Where a card lies at first: side by side, each row a little lower. */
export function firstPlace(number: number): Place {
  const row = Math.floor(number / ACROSS);
  return { x: 250 + (number % ACROSS) * CARD_WIDTH + row * 24, y: 56 + row * 32 };
}

/** The nearest place at which a card can be seen and moved again. */
export function kept({ x, y }: Place, card: Size, area: Size): Place {
  const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));
  return {
    x: clamp(x, VISIBLE - card.width, area.width - VISIBLE),
    y: clamp(y, 0, Math.max(0, area.height - VISIBLE)),
  };
}
