/** Distinguishes recordings of the same name. */

import type { Overview } from "../session/wire";

/**
 * A short text that depends on the content of a recording, not on its name, its clock or the
 * version of this program: another dump of the same buffer has another one.
 */
export function fingerprintOf({ format, events, span, contexts, gaps }: Overview): string {
  const names = contexts.map(({ name }) => name);
  const content = JSON.stringify([format, events, span, names, gaps.length]);
  // FNV-1a.
  let hash = 0x811c9dc5;
  for (const character of content)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}
