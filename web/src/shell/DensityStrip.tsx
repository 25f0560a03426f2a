/** Events over time of a trace that is not analysed yet. */

import { useEffect, useId } from "preact/hooks";
import type { OpeningProgress } from "../session/wire";
import { plural, ticksText } from "../state/format";
import { analysedSpan } from "../state/opening-progress";

/** Height of the drawing; it is scaled to that of the strip. */
const HEIGHT = 100;

/** Outline of the counts on a logarithmic scale, one unit wide each. */
function outline(counts: readonly number[]): string {
  const scale = HEIGHT / Math.log1p(Math.max(1, ...counts));
  const steps = counts.map((count) => `V${(HEIGHT - Math.log1p(count) * scale).toFixed(1)}h1`);
  return `M0 ${HEIGHT}${steps.join("")}V${HEIGHT}Z`;
}

/** Draws the events that are decoded; the analysed ones are strong. */
export function DensityStrip({ progress }: { progress: OpeningProgress }) {
  const { density, events } = progress;
  const clip = useId();
  const isDrawn = density !== null;
  useEffect(() => {
    if (isDrawn) performance.mark("rtoscope:density");
  }, [isDrawn]);
  if (density === null || events === null) return null;
  const path = outline(density.counts);
  const width = density.counts.length;
  const analysed = (analysedSpan(progress) ?? 0) * width;
  const label = `${plural(events, "event")} over ${ticksText(density.span)}`;
  return (
    <figure class="density-strip">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <clipPath id={clip}>
          <rect width={analysed} height={HEIGHT} />
        </clipPath>
        <path d={path} class="decoded" />
        <path d={path} class="analysed" clip-path={`url(#${clip})`} />
      </svg>
      <figcaption class="muted">
        Preliminary: {label}, on a logarithmic scale. The coloured part is analysed.
      </figcaption>
    </figure>
  );
}
