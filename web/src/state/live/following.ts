/** Moves a view along with a recording, evenly, frame by frame. */

import { type Signal, signal } from "@preact/signals";
import type { Axis } from "../../session/wire";
import type { TraceState } from "../trace";
import { limits, type Part, shortest } from "../window";
import { Edge } from "./edge";

/**
 * Initial length of the view: this many seconds if the clock frequency is known, else the time of
 * this many events.
 */
const SECONDS = 2;
const EVENTS = 500;

export class Following {
  /** Length of the view on each axis; `null` until known. */
  private readonly lengths: Record<Axis, Signal<number | null>> = {
    time: signal(null),
    index: signal(EVENTS),
  };
  private edges: Record<Axis, Edge> = { time: new Edge(), index: new Edge() };
  private scheduled = 0;

  constructor(private readonly trace: TraceState) {}

  start(): void {
    const hz = this.trace.hz.peek();
    this.edges = { time: new Edge(hz === null ? 0 : hz / 1000), index: new Edge() };
    if (this.scheduled === 0) this.schedule();
  }

  stop(): void {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
  }

  /** There are more events. */
  grow(): void {
    const { trace } = this;
    this.lengths.time.value ??= this.firstLength();
    // A view that is not drawn gets no samples.
    if (this.edges[trace.axis.peek()].isEmpty) this.move(trace.whole.peek().to);
  }

  /** Events up to a position can be drawn. */
  answered(axis: Axis, end: number): void {
    this.edges[axis].sample(performance.now(), end);
  }

  /** Interval to show once everything received is drawn. */
  ahead(): Part {
    const { to } = this.trace.whole.peek();
    const length = this.length();
    return { from: to - length, to };
  }

  /**
   * The same for a `computed`: depends on the axis and the view's length, not on each new event.
   */
  destination(): Part {
    void this.lengths[this.trace.axis.value].value;
    return this.ahead();
  }

  /** Scales the view's length by `factor`; its right edge stays. */
  stretch(factor: number): void {
    const { trace } = this;
    const axis = trace.axis.peek();
    const whole = limits(trace.extent.peek(), axis);
    const longest = Math.max(whole.to - whole.from, this.length());
    this.lengths[axis].value = Math.min(Math.max(this.length() * factor, shortest(axis)), longest);
    this.move(trace.window.peek().to);
  }

  private length(): number {
    const { from, to } = this.trace.window.peek();
    return this.lengths[this.trace.axis.peek()].peek() ?? to - from;
  }

  private firstLength(): number {
    const { span, events } = this.trace.extent.peek();
    const hz = this.trace.hz.peek();
    const length = hz === null ? (span * EVENTS) / Math.max(events, EVENTS) : SECONDS * hz;
    return Math.max(length, shortest("time"));
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
    if (before.from !== from || before.to !== to) window.value = { from, to };
  }
}
