/** Layout of the cards. */

/** Pixels from the top left of the area. */
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
/** Minimum visible part of a card. */
const VISIBLE = 40;

/** Maximum height of a card with a margin: less than the lower panel without its tabs. */
const CARD_HEIGHT = 224;

/** Initial position of a card: side by side at the bottom, so that the timeline stays visible. */
export function firstPlace(number: number, areaHeight: number): Place {
  const row = Math.floor(number / ACROSS);
  const y = Math.max(0, areaHeight - CARD_HEIGHT - row * 32);
  return { x: 16 + (number % ACROSS) * CARD_WIDTH + row * 24, y };
}

/** Nearest position at which a card can be seen and moved. */
export function kept({ x, y }: Place, card: Size, area: Size): Place {
  const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));
  return {
    x: clamp(x, VISIBLE - card.width, area.width - VISIBLE),
    y: clamp(y, 0, Math.max(0, area.height - VISIBLE)),
  };
}
