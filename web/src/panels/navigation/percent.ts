/** Zoom in percent. */

import { countText } from "../../state/format";

/** Formats a zoom factor: `250 %`, from ten on `34 ×`, `1 230 ×`. */
export function percentText(factor: number): string {
  if (factor < 10) return `${Math.round(factor * 100)} %`;
  return `${countText(Number(factor.toPrecision(3)))} ×`;
}

/** Parses `250`, `250 %` or `30 ×` (also with `x`) as percent; `null` if invalid. */
export function parsePercent(text: string): number | null {
  const match = /^(\d+(?:\.\d*)?|\.\d+)([%×x]?)$/.exec(text.replaceAll(/\s/g, ""));
  if (!match) return null;
  const isFactor = match[2] === "×" || match[2] === "x";
  const percent = Number(match[1]) * (isFactor ? 100 : 1);
  return percent > 0 ? percent : null;
}
