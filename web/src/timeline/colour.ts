/** Colour conversions. */

/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [number, number, number];

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** Parses `#rrggbb`; anything else is grey. */
export function rgb(colour: string): Rgb {
  const parts = HEX.exec(colour.trim());
  if (parts === null) return [136, 136, 136];
  const channel = (part: string | undefined) => Number.parseInt(part ?? "88", 16);
  return [channel(parts[1]), channel(parts[2]), channel(parts[3])];
}

/** A canvas pixel in memory on little-endian machines. */
export function pixel([red, green, blue]: Rgb, alpha = 255): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** The colour with an opacity of 0 to 1. */
export function translucent(colour: string, opacity: number): string {
  const [red, green, blue] = rgb(colour);
  return `rgb(${red} ${green} ${blue} / ${Math.round(opacity * 100)}%)`;
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [first, second] = [luminance(rgb(one)) + 0.05, luminance(rgb(other)) + 0.05];
  return Math.max(first, second) / Math.min(first, second);
}

/** Relative luminance of WCAG 2.2, 0 to 1. */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

const DARK = "#000000";
const LIGHT = "#ffffff";
const known = new Map<string, string>();

/** Black or white, whichever is easier to read on a background: at least 4.5:1 on any. */
export function readableOn(colour: string): string {
  const found = known.get(colour);
  if (found !== undefined) return found;
  const readable = contrast(LIGHT, colour) > contrast(DARK, colour) ? LIGHT : DARK;
  known.set(colour, readable);
  return readable;
}
