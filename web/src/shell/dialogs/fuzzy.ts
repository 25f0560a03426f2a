/** Fuzzy matching. */

/** Score of a match, and the matched positions. */
export interface FuzzyMatch {
  score: number;
  positions: number[];
}

const WORD_START_SCORE = 8;
const ADJACENT_SCORE = 5;
const TEXT_START_SCORE = 4;
const GAP_PENALTY = 0.2;

/** Matches the letters of a word in that order; matches near the start score higher. */
function matchWord(text: string, word: string): FuzzyMatch | null {
  const whole = text.indexOf(word);
  if (whole >= 0) {
    const positions = Array.from(word, (_, at) => whole + at);
    const atWord = whole === 0 || !/[\p{L}\p{N}]/u.test(text[whole - 1] ?? "");
    const score =
      word.length * ADJACENT_SCORE +
      (atWord ? WORD_START_SCORE : 0) +
      (whole === 0 ? TEXT_START_SCORE : 0) -
      whole * GAP_PENALTY;
    return { score, positions };
  }
  const positions: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return null;
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) score += WORD_START_SCORE / 2;
    else if (at === from && at > 0) score += ADJACENT_SCORE / 2;
    score -= (at - from) * GAP_PENALTY;
    positions.push(at);
    from = at + 1;
  }
  return { score, positions };
}

/** Matches all words of a query; `null` if any does not match. */
export function match(text: string, typed: string): FuzzyMatch | null {
  const lower = text.toLowerCase();
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const all: FuzzyMatch = { score: 0, positions: [] };
  for (const word of words) {
    const one = matchWord(lower, word);
    if (one === null) return null;
    all.score += one.score;
    all.positions.push(...one.positions);
  }
  return all;
}

/** Matching entries, best first; all entries in their order for an empty query. */
export function rank<T>(
  all: readonly T[],
  typed: string,
  text: (one: T) => string,
  limit: number,
): { one: T; positions: number[] }[] {
  const fitting = all.flatMap((one) => {
    const found = match(text(one), typed);
    return found ? [{ one, ...found }] : [];
  });
  // Sorting is stable: equal scores keep their order.
  if (typed.trim() !== "") fitting.sort((a, b) => b.score - a.score);
  return fitting.slice(0, limit);
}
