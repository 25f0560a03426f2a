/** Statistics of measurements. */

import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";

/** Percentile of the values; NaN if there are none. */
function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/** `median / 95 % / 99 %`, and the maximum. */
export function spread(values: readonly number[], unit: string): string {
  if (values.length === 0) return "no measurements";
  const text = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const parts = [0.5, 0.95, 0.99, 1].map((part) => text(percentile(values, part)));
  return `${parts.join(" / ")} ${unit} (${values.length})`;
}

/** A memory figure of a process in bytes. */
export async function memory(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** The peak of the resident memory of the browser's process that shows a page, in bytes. */
export async function peakOfRenderers(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  return Math.max(...(await Promise.all(renderers.map(({ id }) => memory(id, "VmHWM")))));
}

/** Formats bytes. */
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** A trace event of the browser, in microseconds. */
interface TraceEvent {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  tid: number;
  pid: number;
}

/** Marks the start of each frame of a page, for {@link scriptPerFrame}. */
export const FRAME = "bench:frame";

/** Trace events that run script on the page's main thread. */
const SCRIPT = new Set([
  "FunctionCall",
  "EvaluateScript",
  "RunMicrotasks",
  "V8.RunMicrotasks",
  "FireAnimationFrame",
  "TimerFire",
  "EventDispatch",
  "MinorGC",
  "MajorGC",
  "V8.GCScavenger",
  "V8.GCFinalizeMC",
]);

/** Profiles a page during an action; returns the milliseconds of script in each frame. */
export async function scriptPerFrame(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<number[]> {
  await browser.startTracing(page, {
    categories: ["devtools.timeline", "blink.user_timing", "v8.execute", "v8"],
  });
  await act();
  const recorded = JSON.parse((await browser.stopTracing()).toString("utf8")) as {
    traceEvents: TraceEvent[];
  };
  return perFrame(recorded.traceEvents);
}

function perFrame(events: readonly TraceEvent[]): number[] {
  const marks = events.filter(({ name }) => name === FRAME);
  const [first] = marks;
  if (!first) return [];
  const starts = marks.map(({ ts }) => ts).toSorted((one, other) => one - other);
  const scripts = events
    .filter(
      ({ name, ph, pid, tid }) =>
        ph === "X" && SCRIPT.has(name) && pid === first.pid && tid === first.tid,
    )
    .toSorted((one, other) => one.ts - other.ts);
  const frames = new Array<number>(starts.length).fill(0);
  let end = 0;
  let frame = 0;
  for (const { ts, dur = 0 } of scripts) {
    // Nested events are counted already.
    const own = Math.max(ts + dur - Math.max(ts, end), 0);
    end = Math.max(end, ts + dur);
    while ((starts[frame + 1] ?? Infinity) <= ts) frame += 1;
    frames[frame] = (frames[frame] ?? 0) + own / 1000;
  }
  // Frames before the first mark and after the last are incomplete.
  return frames.slice(1, -1);
}
