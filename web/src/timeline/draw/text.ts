/** Texts where there is little room. */

import type { Surface, TextStyle } from "../surface/surface";

const ELLIPSIS = "…";
/** Fewer letters before an ellipsis say nothing. */
const LEAST = 2;

/** As much of a text as fits, with an ellipsis where it is cut; empty if that is too little. */
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
  return fits < LEAST ? "" : letters.slice(0, fits).join("") + ELLIPSIS;
}
