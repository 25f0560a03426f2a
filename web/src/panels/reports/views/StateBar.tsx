/** The shares of the states of a thread as a bar. */

import type { Shares } from "../../../session/reports";
import { durationText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { classProperty } from "../../../timeline/palette";

/** The names are those of bar classes. */
export function StateBar({ trace, shares }: { trace: TraceState; shares: Shares }) {
  const text = shares
    .map(([name, ticks]) => `${name} ${durationText(ticks, shownClock(trace))}`)
    .join("\n");
  return (
    <span class="states" title={text} role="img" aria-label={text.replaceAll("\n", ", ")}>
      {shares.map(([name, ticks]) => (
        <span
          key={name}
          style={{ flex: `${ticks} 0 0`, background: `var(${classProperty(name)})` }}
        />
      ))}
    </span>
  );
}
