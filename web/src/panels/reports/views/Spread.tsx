/** How durations are spread: from the shortest to the longest, with the median and the tails. */

import { durationText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import type { Distribution } from "../document";
import { bands, position } from "./spread";

interface SpreadProps {
  trace: TraceState;
  label: string;
  of: Distribution;
}

const WIDTH = 320;
const TOP = 6;
const BOTTOM = 62;

export function Spread({ trace, label, of }: SpreadProps) {
  const text = (ticks: number) => durationText(ticks, shownClock(trace));
  const drawn = bands(of);
  const highest = Math.max(...drawn.map(({ density }) => density));
  const x = (ticks: number) => position(ticks, of) * WIDTH;
  const said = `${label}: ${of.count} durations, from ${text(of.min)} to ${text(of.max)}, `
    + `half of them up to ${text(of.p50)}, 90 % up to ${text(of.p90)}, 99 % up to ${text(of.p99)}`;
  return (
    <svg class="spread" viewBox={`0 0 ${WIDTH} 84`} preserveAspectRatio="none" role="img" aria-label={said}>
      <title>{said}</title>
      {drawn.map(({ from, to, density }) => {
        const height = Math.max(2, (density / highest) * (BOTTOM - TOP));
        return <rect key={from} x={x(from)} y={BOTTOM - height} height={height}
          width={Math.max(1.5, x(to) - x(from) - 0.5)} />;
      })}
      <line x1="0" x2={WIDTH} y1={BOTTOM} y2={BOTTOM} />
      <text x="0" y="76">{text(of.min)}</text>
      <text x={WIDTH} y="76" text-anchor="end">{text(of.max)}</text>
    </svg>
  );
}
