/** Messages on the screen. */

import type { MessageBars, MessageEnd, Overview } from "../../session/wire";
import { countText, durationText } from "../../state/format";
import type { Interval } from "../../state/interval";

/** A message from its put to its end. */
export interface MessageBar {
  /** In pixels. */
  left: number;
  right: number;
  /** From put to end. */
  ticks: number;
  row: number;
  /** Their events. */
  put: number;
  end: number;
  putter: number | null;
  taker: number | null;
  ending: MessageEnd;
}

/** Bars of a window that is `width` pixels wide. */
export function visibleBars(
  bars: MessageBars,
  { start, end }: Interval,
  width: number,
): MessageBar[] {
  const x = (at: number) => ((at - start) / (end - start)) * width;
  return bars.starts.flatMap((from, index): MessageBar[] => {
    const to = bars.ends[index] ?? from;
    if (from > end || to < start) return [];
    return [
      {
        // Far outside, a canvas is not exact.
        left: Math.max(x(from), -2),
        right: Math.min(x(to), width + 2),
        ticks: bars.ticks[index] ?? 0,
        row: bars.rows[index] ?? 0,
        put: bars.puts[index] ?? 0,
        end: bars.end_events[index] ?? 0,
        putter: bars.putters[index] ?? null,
        taker: bars.takers[index] ?? null,
        ending: bars.endings[index] ?? "unknown",
      },
    ];
  });
}

/** Distance in pixels at which a bar is still hit. */
const HIT_DISTANCE = 3;

/** Bar of a row at a position: of several, the one that starts last. */
export function barAt(bars: readonly MessageBar[], x: number, row: number): MessageBar | null {
  const hit = bars.findLast(
    (bar) => bar.row === row && x >= bar.left - HIT_DISTANCE && x <= bar.right + HIT_DISTANCE,
  );
  return hit ?? null;
}

const ENDINGS: Record<Exclude<MessageEnd, "taken">, string> = {
  "gave-up": "the sender gave up",
  flushed: "flushed",
  "trace-ended": "not taken before the trace ends",
  unknown: "not known when it is taken",
};

/** Description of a message. */
export function messageText({ contexts }: Overview, bar: MessageBar, hz: number | null): string {
  const name = (context: number | null) =>
    (context === null ? null : contexts[context]?.name) ?? "unknown";
  const put = `put by ${name(bar.putter)} at event ${countText(bar.put)}`;
  const end =
    bar.ending === "taken"
      ? `taken by ${name(bar.taker)} at event ${countText(bar.end)}`
      : ENDINGS[bar.ending];
  return `${durationText(bar.ticks, hz)}: ${put}, ${end}`;
}
