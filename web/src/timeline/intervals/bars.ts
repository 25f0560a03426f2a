/** Bars of user-defined intervals: rows, data, drawing and hit testing. */

import type { SessionClient } from "../../session/client";
import type { IntervalBars } from "../../session/wire";
import { durationText } from "../../state/format";
import { intervalsKey, type ShownIntervals } from "../../state/intervals";
import type { TraceState } from "../../state/trace";
import { WindowStore } from "../data/window-store";
import { type Frame, snap } from "../draw/frame";
import type { HitItem } from "../hit";
import type { IntervalsRow, PlacedRow } from "../layout";
import type { Surface, TextStyle } from "../surface/surface";
import type { Scale } from "../transform";

const MARGIN = 6;
const TEXT_MARGIN = 4;
/** Bars of at least this width in pixels have an edge. */
const MIN_APART = 3;

/** Bars of the visible interval, by the key of the intervals. */
export type IntervalStore = WindowStore<string, IntervalBars>;

export function intervalStore(
  client: SessionClient,
  shown: () => readonly ShownIntervals[],
  failed: (error: unknown) => void,
): IntervalStore {
  const nothing = { starts: [], ends: [], events: [], counts: [], ended: [] };
  return new WindowStore(
    async (key, window, width) => {
      const found = shown().find((one) => intervalsKey(one) === key);
      if (found === undefined) return nothing;
      const { filters } = found;
      return client.query<"interval-bars">({ query: "interval-bars", filters, window, width });
    },
    1,
    failed,
  );
}

/** Rows of the intervals, above the lanes. */
export function intervalRows({ intervals }: TraceState): IntervalsRow[] {
  return intervals.value.map((one, number) => ({
    kind: "intervals",
    key: intervalsKey(one),
    name: one.name,
    number,
  }));
}

/** Custom property with the colour of intervals. */
export const intervalsProperty = (number: number) => `--graph-${(number % 6) + 1}`;

/** Bar at a pixel: of several, the one that starts last. */
export function intervalAt(bars: IntervalBars | null, scale: Scale, x: number): HitItem | null {
  const { starts = [], ends = [], events = [] } = bars ?? {};
  for (let bar = starts.length - 1; bar >= 0; bar -= 1) {
    const [left, right] = [scale.x(starts[bar] ?? 0), scale.x(ends[bar] ?? 0)];
    const event = events[bar];
    if (event !== undefined && x >= left - 2 && x <= right + 2) return { event, left, right };
  }
  return null;
}

export function drawIntervals(surface: Surface, frame: Frame, rows: readonly PlacedRow[]): void {
  const { scale, ratio, width, palette, shapes, axis, frequencyHz } = frame;
  for (const { row, y, height } of rows) {
    if (row.kind !== "intervals") continue;
    const bars = frame.intervals(row.key);
    if (bars === null) continue;
    const colour = palette.graphs[row.number % palette.graphs.length] ?? "";
    const style: TextStyle = { colour: palette.background, size: 11 };
    const texts: { text: string; x: number }[] = [];
    const edges: number[] = [];
    const [top, high] = [y + MARGIN, height - 2 * MARGIN];
    const left = (bar: number) => Math.max(snap(scale.x(bars.starts[bar] ?? Infinity), ratio), -1);
    for (const ended of [true, false]) {
      for (let bar = 0; bar < bars.starts.length; bar += 1) {
        if (bars.ended[bar] !== ended) continue;
        const from = left(bar);
        const to = Math.min(snap(scale.x(bars.ends[bar] ?? 0), ratio), width + 1);
        if (from > width || to < 0) continue;
        shapes.rectangle(from, top, Math.max(to - from, 1 / ratio), high);
        if (bars.counts[bar] !== 1 || to - from < MIN_APART) continue;
        edges.push(from);
        if (!ended || axis !== "time") continue;
        const text = durationText((bars.ends[bar] ?? 0) - (bars.starts[bar] ?? 0), frequencyHz);
        // Of overlapping bars, the next one covers the rest.
        const room = Math.min(to, left(bar + 1)) - from - 2 * TEXT_MARGIN;
        if (surface.measure(text, style) <= room) texts.push({ text, x: from + TEXT_MARGIN });
      }
      if (ended) surface.fill(colour, shapes);
      else surface.hatch(colour, shapes);
    }
    for (const x of edges) shapes.rectangle(x, top, 1, high);
    surface.fill(palette.background, shapes);
    for (const { text, x } of texts) surface.text(text, x, y + height / 2, style);
  }
}
