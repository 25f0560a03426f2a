/** What the address of the page says about the view. */

import type { Page } from "@playwright/test";
import { read, type Spot } from "../../src/shell/url";

/** The view as the address has it. The viewer writes that when it has rested for a moment. */
export function spotOf(page: Page): Spot {
  return read(new URL(page.url()).hash);
}

/** The visible part. */
export function partOf(page: Page): { from: number; to: number; length: number; middle: number } {
  const { from = Number.NaN, to = Number.NaN } = spotOf(page);
  return { from, to, length: to - from, middle: (from + to) / 2 };
}
