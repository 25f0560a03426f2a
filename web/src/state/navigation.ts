/** Navigation commands shared by the whole page. */

import type { Direction, StepBy } from "../session/wire";
import { settings } from "./settings";
import type { TraceState } from "./trace";
import { notice, showError } from "./viewer";

/** Selects an event; shows a notice if it does not exist. */
export async function goToEvent(trace: TraceState, event: number): Promise<void> {
  try {
    if (!(await trace.select(event))) notice.value = `There is no event ${event}.`;
  } catch (error) {
    showError(error);
  }
}

/** Selects the first or last event of the trace. */
export async function goToEnd(trace: TraceState, end: "first" | "last"): Promise<void> {
  try {
    await trace.live?.pauseAndWait();
    const { base, events } = trace.extent.peek();
    await goToEvent(trace, end === "first" ? base.event : base.event + events - 1);
  } catch (error) {
    showError(error);
  }
}

/** Selects the last event at or before a time in ticks. */
export function goToTime(trace: TraceState, time: number): Promise<void> {
  return trace.announce(selectAtTime(trace, time));
}

async function selectAtTime(trace: TraceState, time: number): Promise<void> {
  try {
    await trace.live?.pauseAndWait();
    const place = await trace.client.query({ query: "locate", axis: "time", at: time });
    if (place === null) notice.value = "No event at or before that time.";
    else trace.selectLocated(place);
  } catch (error) {
    showError(error);
  }
}

/** Steps that are requested faster than they are made are queued, up to a limit. */
const queues = new WeakMap<TraceState, { last: Promise<void>; count: number }>();
const MAX_QUEUED_STEPS = 8;

/** Shows the details of an event that was selected in the timeline, instead of the summary. */
export function showDetails(): void {
  if (settings.sidePanel.peek() === "trace") settings.sidePanel.value = "details";
}

async function stepNow(trace: TraceState, direction: Direction, by?: StepBy): Promise<void> {
  try {
    const found = by ? await trace.step(direction, by) : await trace.step(direction);
    if (found) showDetails();
    else {
      notice.value = direction === "next" ? "No further match." : "No earlier match.";
    }
  } catch (error) {
    showError(error);
  }
}

/** Selects the next or previous event; shows a notice if there is none. */
export async function step(trace: TraceState, direction: Direction, by?: StepBy): Promise<void> {
  const line = queues.get(trace) ?? { last: Promise.resolve(), count: 0 };
  if (line.count >= MAX_QUEUED_STEPS) return;
  line.count += 1;
  line.last = line.last
    .then(() => stepNow(trace, direction, by))
    .finally(() => {
      line.count -= 1;
    });
  queues.set(trace, line);
  await trace.announce(line.last);
}

/** Steps by a criterion, now and from now on. */
export function follow(trace: TraceState, by: StepBy): void {
  trace.stepMode.value = by;
  void step(trace, "next", by);
}

/** Shows an interval of the current axis with some margin. */
export function showAround(trace: TraceState, from: number, to: number): void {
  const margin = Math.max((to - from) * 0.15, 1);
  trace.show(from - margin, to + margin);
}

/** Shows an interval of time with some margin, on either axis. */
export async function showTime(trace: TraceState, from: number, to: number): Promise<void> {
  try {
    if (trace.axis.peek() === "time") {
      showAround(trace, from, to);
      return;
    }
    const ask = (at: number) => trace.client.query({ query: "locate", axis: "time", at });
    const [first, last] = await Promise.all([ask(from), ask(to)]);
    if (first && last) trace.show(first.event - 2, last.event + 3);
  } catch (error) {
    showError(error);
  }
}
