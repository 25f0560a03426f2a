/** Finding by a few letters. */

/** How well a text fits, and which of its letters do. */
export interface Match {
  score: number;
  places: number[];
}

const BEGINS_WORD = 8;
const FOLLOWS = 5;
const BEGINS_TEXT = 4;
const GAP = 0.2;

/** Whether the letters of a word occur in a text in that order; the best place is near its start. */
function matchWord(text: string, word: string): Match | null {
  const whole = text.indexOf(word);
  if (whole >= 0) {
    const places = Array.from(word, (_, at) => whole + at);
    const atWord = whole === 0 || !/[\p{L}\p{N}]/u.test(text[whole - 1] ?? "");
    const score =
      word.length * FOLLOWS +
      (atWord ? BEGINS_WORD : 0) +
      (whole === 0 ? BEGINS_TEXT : 0) -
      whole * GAP;
    return { score, places };
  }
  const places: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return null;
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) score += BEGINS_WORD / 2;
    else if (at === from && at > 0) score += FOLLOWS / 2;
    score -= (at - from) * GAP;
    places.push(at);
    from = at + 1;
  }
  return { score, places };
}

/** How well a text fits what was typed: every word of that must occur. `null` if it does not. */
export function match(text: string, typed: string): Match | null {
  const lower = text.toLowerCase();
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const all: Match = { score: 0, places: [] };
  for (const word of words) {
    const one = matchWord(lower, word);
    if (one === null) return null;
    all.score += one.score;
    all.places.push(...one.places);
  }
  return all;
}

/** Those that fit, the best first; all, in their order, if nothing was typed. */
export function rank<T>(
  all: readonly T[],
  typed: string,
  text: (one: T) => string,
  most: number,
): { one: T; places: number[] }[] {
  const fitting = all.flatMap((one) => {
    const found = match(text(one), typed);
    return found ? [{ one, ...found }] : [];
  });
  // Sorting is stable: equals stay in their order.
  if (typed.trim() !== "") fitting.sort((a, b) => b.score - a.score);
  return fitting.slice(0, most);
}
