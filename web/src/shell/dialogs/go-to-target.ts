/** Parser of the "Go to" dialog. */

import { parseTicks } from "../../state/format";

/** A position in the trace. */
export type GoToTarget = { event: number } | { ticks: number };

/**
 * Parses `1234` (an event), `20000 ticks`, or, if the clock frequency is known, `1.5ms`. Returns an
 * error message for an invalid text. `noTime` is why the clock does not measure time, if so.
 */
export function parseTarget(
  text: string,
  hz: number | null,
  noTime: string | null = null,
): GoToTarget | string {
  const written = text.trim().replaceAll(/[_\s\u202f]+(?=\d)/g, "");
  const event = /^(?:#|event\s*)?(\d{1,15})$/i.exec(written)?.[1];
  if (event !== undefined) return { event: Number(event) };
  const ticks = parseTicks(written, hz);
  if (ticks !== null) return { ticks };
  if (hz === null && parseTicks(written, 1) !== null) {
    if (noTime !== null) return `Enter an event number or ticks: ${noTime}.`;
    return "The clock frequency is unknown: enter the time in ticks, or set the frequency first.";
  }
  return "Enter an event number such as 1234, or a time such as 1.5ms or 20000 ticks.";
}
