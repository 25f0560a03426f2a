/** Zoom in percent. */

/** Formats a zoom factor: `100 %`, `3.4k %`. */
export function percentText(factor: number): string {
  const percent = factor * 100;
  if (percent >= 1e6) return `${(percent / 1e6).toPrecision(3)}M %`;
  if (percent >= 1e4) return `${(percent / 1e3).toPrecision(3)}k %`;
  return `${Math.round(percent)} %`;
}

/** Parses `250`, `250 %` or `3k`; `null` if invalid. */
export function parsePercent(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*([kM]?)\s*%?\s*$/.exec(text);
  if (!match) return null;
  const factor = match[2] === "M" ? 1e6 : match[2] === "k" ? 1e3 : 1;
  const percent = Number(match[1]) * factor;
  return percent > 0 ? percent : null;
}
