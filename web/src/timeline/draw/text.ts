/** Text truncation. */

import type { Surface, TextStyle } from "../surface/surface";

const ELLIPSIS = "…";
/** Minimum number of letters before an ellipsis. */
const MIN_LETTERS = 2;

/** Truncates a text to a width, with an ellipsis; empty if too little would be left. */
export function truncate(
  surface: Pick<Surface, "measure">,
  text: string,
  style: TextStyle,
  room: number,
): string {
  if (surface.measure(text, style) <= room) return text;
  const letters = [...text];
  let [fits, fitsNot] = [0, letters.length];
  while (fitsNot - fits > 1) {
    const middle = (fits + fitsNot) >> 1;
    const cut = letters.slice(0, middle).join("") + ELLIPSIS;
    if (surface.measure(cut, style) <= room) fits = middle;
    else fitsNot = middle;
  }
  return fits < MIN_LETTERS ? "" : letters.slice(0, fits).join("") + ELLIPSIS;
}
