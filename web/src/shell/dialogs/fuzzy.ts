/** Fuzzy matching. */

/** Score of a match, and the matched positions. */
export interface Match {
  score: number;
  places: number[];
}

const BEGINS_WORD = 8;
const FOLLOWS = 5;
const BEGINS_TEXT = 4;
const GAP = 0.2;

/** Matches the letters of a word in that order; matches near the start score higher. */
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

/** Matches all words of a query; `null` if any does not match. */
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

/** Matching entries, best first; all entries in their order for an empty query. */
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
  // Sorting is stable: equal scores keep their order.
  if (typed.trim() !== "") fitting.sort((a, b) => b.score - a.score);
  return fitting.slice(0, most);
}
