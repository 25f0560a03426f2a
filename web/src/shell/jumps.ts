/** Which moves of the view are entries of the browser's history. */

import type { ViewLocation } from "./view-location";

/** Zooming by more than this is a jump. */
const ZOOM_JUMP = 3;

/**
 * Whether the view jumped from one location to another: to another trace or axis, to a part that
 * overlaps less than half of the previous one, or to a much larger or smaller one.
 */
export function isJump(from: ViewLocation, to: ViewLocation): boolean {
  if (from.trace !== to.trace || from.name !== to.name || from.axis !== to.axis) return true;
  if (from.from === undefined || from.to === undefined) return false;
  if (to.from === undefined || to.to === undefined) return false;
  const lengths = [from.to - from.from, to.to - to.from] as const;
  const [shorter, longer] = [Math.min(...lengths), Math.max(...lengths)];
  if (longer > ZOOM_JUMP * shorter) return true;
  return Math.min(from.to, to.to) - Math.max(from.from, to.from) < shorter / 2;
}
