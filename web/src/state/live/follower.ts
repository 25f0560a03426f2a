/** Moves a view along with a recording, evenly, frame by frame. */

import { type Signal, signal } from "@preact/signals";
import type { Axis } from "../../session/wire";
import { ticksIn } from "../clock";
import { type Interval, limits, minLength } from "../interval";
import type { TraceState } from "../trace";
import { LiveEdge } from "./live-edge";

/**
 * Initial length of the view: this many seconds if the clock frequency is known, else the time of
 * this many events.
 */
const INITIAL_SECONDS = 2;
const INITIAL_EVENTS = 500;

export class Follower {
  /** Length of the view on each axis; `null` until known. */
  private readonly lengths: Record<Axis, Signal<number | null>> = {
    time: signal(null),
    index: signal(INITIAL_EVENTS),
  };
  private edges: Record<Axis, LiveEdge> = { time: new LiveEdge(), index: new LiveEdge() };
  private scheduled = 0;

  constructor(private readonly trace: TraceState) {}

  start(): void {
    const hz = this.trace.frequencyHz.peek();
    this.edges = {
      time: new LiveEdge(hz === null ? 0 : ticksIn(0.001, hz)),
      index: new LiveEdge(),
    };
    if (this.scheduled === 0) this.schedule();
  }

  stop(): void {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
  }

  /** There are more events. */
  onGrowth(): void {
    const { trace } = this;
    this.lengths.time.value ??= this.initialLength();
    // A view that is not drawn gets no samples.
    if (this.edges[trace.axis.peek()].isEmpty) this.move(trace.fullInterval.peek().end);
  }

  /** Events up to a position can be drawn. */
  answered(axis: Axis, end: number): void {
    this.edges[axis].sample(performance.now(), end);
  }

  /** Interval to show once everything received is drawn. */
  target(): Interval {
    const { end: to } = this.trace.fullInterval.peek();
    const length = this.length();
    return { start: to - length, end: to };
  }

  /**
   * The same for a `computed`: depends on the axis and the view's length, not on each new event.
   */
  watchTarget(): Interval {
    void this.lengths[this.trace.axis.value].value;
    return this.target();
  }

  /** Scales the view's length by `factor`; its right edge stays. */
  stretch(factor: number): void {
    const { trace } = this;
    const axis = trace.axis.peek();
    const whole = limits(trace.extent.peek(), axis);
    const longest = Math.max(whole.end - whole.start, this.length());
    this.lengths[axis].value = Math.min(Math.max(this.length() * factor, minLength(axis)), longest);
    this.move(trace.window.peek().end);
  }

  private length(): number {
    const { start: from, end: to } = this.trace.window.peek();
    return this.lengths[this.trace.axis.peek()].peek() ?? to - from;
  }

  private initialLength(): number {
    const { span, events } = this.trace.extent.peek();
    const hz = this.trace.frequencyHz.peek();
    const length =
      hz === null
        ? (span * INITIAL_EVENTS) / Math.max(events, INITIAL_EVENTS)
        : ticksIn(INITIAL_SECONDS, hz);
    return Math.max(length, minLength("time"));
  }

  private schedule(): void {
    this.scheduled = requestAnimationFrame(() => {
      this.schedule();
      const edge = this.edges[this.trace.axis.peek()].at(performance.now(), this.length());
      if (edge !== null) this.move(edge);
    });
  }

  private move(to: number): void {
    const { window } = this.trace;
    const from = to - this.length();
    const before = window.peek();
    if (before.start !== from || before.end !== to) window.value = { start: from, end: to };
  }
}
