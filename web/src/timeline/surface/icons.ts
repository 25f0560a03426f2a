/** Icons of event kinds: two halves, each with readable letters. */

import type { EventKind } from "../../session/wire";
import { readableOn } from "../colour";

export const ICON_WIDTH = 16;
export const ICON_HEIGHT = 24;
/** Minimum width of an icon with letters. */
export const MIN_READABLE_WIDTH = 10;

/** Half of an icon. */
export interface IconHalf {
  colour: string;
  letters: string;
  letterColour: string;
  /** Size of the letters and the distance of their middle from the icon's top, at full height. */
  size: number;
  middle: number;
}

/** Means "no second colour" in catalogues derived from TraceX. */
const NO_COLOUR = "#000000";

/** Colour of an icon's lower half. */
export function lowerColour({
  colour,
  lower_colour: lower,
}: Pick<EventKind, "colour" | "lower_colour">): string {
  return lower === NO_COLOUR || lower === "" ? colour : lower;
}

/** Upper and lower half: the first letter above, the others below. */
export function halves(
  kind: Pick<EventKind, "letters" | "colour" | "lower_colour">,
): [IconHalf, IconHalf] {
  const [first = "", ...rest] = [...kind.letters];
  const below = rest.join("");
  const half = (colour: string, letters: string, middle: number): IconHalf => ({
    colour,
    letters,
    letterColour: readableOn(colour),
    size: letters.length > 1 ? 9 : 11,
    middle,
  });
  return [half(kind.colour, first, 6.5), half(lowerColour(kind), below, 17.5)];
}
