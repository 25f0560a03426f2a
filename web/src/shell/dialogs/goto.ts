/** What people write to say where to go. */

import { parseTicks } from "../../state/format";

/** A place in the trace. */
export type Target = { event: number } | { ticks: number };

/**
 * Reads `1234` (an event), `20000 ticks`, or `1.5ms` where the clock is known.
 * A sentence says what is wrong.
 */
export function readTarget(text: string, hz: number | null): Target | string {
  const written = text.trim().replaceAll(/[_\s\u202f]+(?=\d)/g, "");
  const event = /^(?:#|event\s*)?(\d{1,15})$/i.exec(written)?.[1];
  if (event !== undefined) return { event: Number(event) };
  const ticks = parseTicks(written, hz);
  if (ticks !== null) return { ticks };
  if (hz === null && parseTicks(written, 1) !== null) {
    return "The clock is not known: give the time in ticks, or set the clock first.";
  }
  return "Write an event’s number such as 1234, or a time such as 1.5ms or 20000 ticks.";
}
