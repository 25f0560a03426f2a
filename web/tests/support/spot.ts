/** Location of the view in the page's address. */

import type { Page } from "@playwright/test";
import { decodeLocation, type ViewLocation } from "../../src/shell/view-location";

/** The location, which the viewer writes after a moment without changes. */
export function spotOf(page: Page): ViewLocation {
  return decodeLocation(new URL(page.url()).hash);
}

/** A visible interval. */
export interface VisibleInterval {
  from: number;
  to: number;
  length: number;
  middle: number;
}

/** The visible interval of the address, not a number before it is written: to be polled. */
export function partOf(page: Page): VisibleInterval {
  const { from = Number.NaN, to = Number.NaN } = spotOf(page);
  return { from, to, length: to - from, middle: (from + to) / 2 };
}
