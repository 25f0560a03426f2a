/** Layout of the cards. */

/** Pixels from the top left of the area. */
export interface CardPosition {
  x: number;
  y: number;
}

export interface CardSize {
  width: number;
  height: number;
}

export interface Box extends CardPosition, CardSize {}

/** What a card belongs to: the point of its event, and the top and height of the event's lane. */
export interface CardAnchor extends CardPosition {
  top: number;
  height: number;
}

/** Distance between tried positions, and from the edges, in pixels. */
const STEP = 20;
const MARGIN = 8;
/** Free space to the left and right of the event, in pixels. */
const CLEARANCE = 24;
/** Costs of a covered pixel of another card or of the event, of one of its lane, and of a pixel of distance. */
const COVERED_COST = 8;
const LANE_COST = 0.4;
const DISTANCE_COST = 20;

function overlap(one: Box, other: Box): number {
  const along = (start: number, length: number, from: number, size: number) =>
    Math.max(0, Math.min(start + length, from + size) - Math.max(start, from));
  return (
    along(one.x, one.width, other.x, other.width) * along(one.y, one.height, other.y, other.height)
  );
}

/**
 * Free position for a card within an area, as near to its event as possible: it covers neither
 * other cards nor the event, and little of the event's lane. The first of equal positions is taken.
 */
export function freePosition(
  { width, height }: CardSize,
  anchor: CardAnchor | null,
  others: readonly Box[],
  area: Box,
): CardPosition {
  const last = {
    x: Math.max(area.x, area.x + area.width - width - MARGIN),
    y: Math.max(area.y, area.y + area.height - height - MARGIN),
  };
  const first = { x: Math.min(area.x + MARGIN, last.x), y: Math.min(area.y + MARGIN, last.y) };
  const costOf = ({ x, y }: CardPosition) => {
    const card = { x, y, width, height };
    const covered = others.reduce((sum, other) => sum + overlap(card, other), 0);
    if (anchor === null) return covered * COVERED_COST;
    const { top, height: high } = anchor;
    const event = { x: anchor.x - CLEARANCE, y: top, width: 2 * CLEARANCE, height: high };
    const lane = { x: area.x, y: top, width: area.width, height: high };
    const distance = Math.hypot(x + width / 2 - anchor.x, y + height / 2 - anchor.y);
    return (
      (covered + overlap(card, event)) * COVERED_COST +
      overlap(card, lane) * LANE_COST +
      distance * DISTANCE_COST
    );
  };
  let best = first;
  let least = Number.POSITIVE_INFINITY;
  for (let y = first.y; y <= last.y; y += STEP) {
    for (let x = first.x; x <= last.x; x += STEP) {
      const cost = costOf({ x, y });
      if (cost < least) [best, least] = [{ x, y }, cost];
    }
  }
  return best;
}

/** Nearest position at which a card is fully visible. */
export function keepVisible({ x, y }: CardPosition, card: CardSize, area: CardSize): CardPosition {
  const clamp = (value: number, high: number) => Math.max(0, Math.min(value, high));
  return { x: clamp(x, area.width - card.width), y: clamp(y, area.height - card.height) };
}

/** Point on the edge of a card that is nearest to an event. */
export function leaderStart({ x, y, width, height }: Box, to: CardPosition): CardPosition {
  return {
    x: Math.max(x, Math.min(to.x, x + width)),
    y: Math.max(y, Math.min(to.y, y + height)),
  };
}
