/** Layout of the cards. */

/** Pixels from the top left of the area. */
export interface CardPosition {
  x: number;
  y: number;
}

interface CardSize {
  width: number;
  height: number;
}

const CARD_WIDTH = 310;
const CARDS_IN_A_ROW = 3;
/** Minimum visible part of a card. */
const MIN_VISIBLE = 40;

/** Maximum height of a card with a margin: less than the lower panel without its tabs. */
const CARD_HEIGHT = 224;

/** Initial position of a card: side by side at the bottom, so that the timeline stays visible. */
export function initialPosition(number: number, areaHeight: number): CardPosition {
  const row = Math.floor(number / CARDS_IN_A_ROW);
  const y = Math.max(0, areaHeight - CARD_HEIGHT - row * 32);
  return { x: 16 + (number % CARDS_IN_A_ROW) * CARD_WIDTH + row * 24, y };
}

/** Nearest position at which a card can be seen and moved. */
export function keepVisible({ x, y }: CardPosition, card: CardSize, area: CardSize): CardPosition {
  const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));
  return {
    x: clamp(x, MIN_VISIBLE - card.width, area.width - MIN_VISIBLE),
    y: clamp(y, 0, Math.max(0, area.height - MIN_VISIBLE)),
  };
}
