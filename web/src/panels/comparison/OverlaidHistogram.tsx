/** The durations of both recordings in the same bins. */

import type { OverlaidHistogram as Histogram } from "../../session/reports";
import { countText } from "../../state/format";
import { valueText } from "./figure-text";

const WIDTH = 320;
const TOP = 4;
const BOTTOM = 92;
/** Minimum height of a bar, so that rare durations are visible. */
const MIN_HEIGHT = 1.5;

interface OverlaidHistogramProps {
  label: string;
  of: Histogram;
}

/** The step line around bars of these shares. */
function outline(shares: readonly number[], highest: number): string {
  const width = WIDTH / Math.max(shares.length, 1);
  const steps = shares.map((share, bin) => {
    const height = share > 0 ? Math.max((share / highest) * (BOTTOM - TOP), MIN_HEIGHT) : 0;
    return `V${(BOTTOM - height).toFixed(1)}H${((bin + 1) * width).toFixed(1)}`;
  });
  return `M0 ${BOTTOM}${steps.join("")}V${BOTTOM}z`;
}

export function OverlaidHistogram({ label, of }: OverlaidHistogramProps) {
  const share = (count: number, all: number) => count / Math.max(all, 1);
  const before = of.bins.map((bin) => share(bin.before, of.before));
  const after = of.bins.map((bin) => share(bin.after, of.after));
  const highest = Math.max(...before, ...after);
  const text = (value: number) => valueText(value, of.unit);
  const wide = WIDTH / Math.max(of.bins.length, 1);
  const [first, last] = [text(of.bins[0]?.min ?? 0), text(of.bins.at(-1)?.max ?? 0)];
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  return (
    <figure class="overlaid">
      <figcaption>
        <span>
          <i class="before" aria-hidden="true" /> before ({countText(of.before)})
        </span>
        <span>
          <i class="after" aria-hidden="true" /> after ({countText(of.after)})
        </span>
        <span class="muted">share of all durations</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} 108`}
        role="img"
        aria-label={`${label}: ${of.before} durations before and ${of.after} after, from ${first} to ${last}`}
      >
        <defs>
          <pattern
            id="comparison-hatch"
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <path class="hatch" d="M0 0V5" />
          </pattern>
        </defs>
        <path class="before" d={outline(before, highest)} />
        <path class="after" d={outline(after, highest)} />
        <line x1="0" x2={WIDTH} y1={BOTTOM} y2={BOTTOM} />
        {of.bins.map((bin, number) => (
          <rect key={bin.min} x={number * wide} width={wide} y="0" height={BOTTOM}>
            <title>
              {`${text(bin.min)} to ${text(bin.max)}\nbefore: ${percent(before[number] ?? 0)} (${countText(bin.before)})\nafter: ${percent(after[number] ?? 0)} (${countText(bin.after)})`}
            </title>
          </rect>
        ))}
        <text x="0" y="104">
          {first}
        </text>
        {of.is_logarithmic && (
          <text x={WIDTH / 2} y="104" text-anchor="middle">
            logarithmic
          </text>
        )}
        <text x={WIDTH} y="104" text-anchor="end">
          {last}
        </text>
      </svg>
    </figure>
  );
}
