/** Histogram of durations. */

import type { Distribution } from "../../../session/reports";
import { countText, durationText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";

interface HistogramProps {
  trace: TraceState;
  label: string;
  of: Distribution;
}

const WIDTH = 320;
const TOP = 6;
const BOTTOM = 62;
const PERCENTILES = [
  { key: "p50", name: "half" },
  { key: "p99", name: "99 %" },
] as const;
/** Minimum bar height, so that rare durations are visible. */
const MIN_BAR_HEIGHT = 1.5;

export function Histogram({ trace, label, of }: HistogramProps) {
  const text = (ticks: number) => durationText(ticks, shownClock(trace));
  const bins = of.histogram;
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const wide = WIDTH / Math.max(1, bins.length);
  const said =
    `${label}: ${of.count} durations from ${text(of.min)} to ${text(of.max)}, ` +
    `50 % up to ${text(of.p50)}, 90 % up to ${text(of.p90)}, 99 % up to ${text(of.p99)}`;
  const [first, last] = [bins[0], bins.at(-1)];
  const grows = first && last && last.max - last.min > 2 * (first.max - first.min + 1);
  const at = (ticks: number) => bins.findIndex(({ max }) => ticks <= max) * wide + wide / 2;
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${WIDTH} 84`}
      preserveAspectRatio="none"
      role="img"
      aria-label={said}
    >
      {bins.map(({ min, max, count }, place) => {
        const height = count === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (count / most) * (BOTTOM - TOP));
        return (
          <rect
            key={min}
            x={place * wide}
            width={Math.max(1, wide - 1)}
            y={BOTTOM - height}
            height={height}
          >
            <title>{`${countText(count)} from ${text(min)} to ${text(max)}`}</title>
          </rect>
        );
      })}
      <line x1="0" x2={WIDTH} y1={BOTTOM} y2={BOTTOM} />
      {PERCENTILES.map(({ key, name }) => (
        <g key={key} class="percentile">
          <line x1={at(of[key])} x2={at(of[key])} y1={TOP} y2={BOTTOM} />
          <title>{`${name} up to ${text(of[key])}`}</title>
        </g>
      ))}
      <text x="0" y="76">
        {text(of.min)}
      </text>
      {grows && (
        <text x={WIDTH / 2} y="76" text-anchor="middle">
          logarithmic
        </text>
      )}
      <text x={WIDTH} y="76" text-anchor="end">
        {text(of.max)}
      </text>
    </svg>
  );
}
