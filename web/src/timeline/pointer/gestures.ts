/** Pointer input of the ruler and the lanes: zoom, pan, measure, select. */

import { effect, untracked } from "@preact/signals";
import type { Interval } from "../../state/interval";
import { RULER_HEIGHT } from "../draw/ruler";
import type { TimelineView } from "../view";
import { Clicks } from "./clicks";
import { Pinch } from "./pinch";
import { RangeMeasurement } from "./range-measurement";
import { openTimelineMenu } from "./timeline-menu";
import { onWheel } from "./wheel";

/** Distance after which a press becomes a drag, in pixels. */
const DRAG = 4;

interface Point {
  x: number;
  y: number;
}

/** Current gesture. */
type Gesture =
  | { kind: "pressed"; start: Point; gesture: "pan" | "measure" | "touch" }
  | { kind: "pan"; start: Point; window: Interval; scrollTop: number; scrolls: boolean }
  | { kind: "measure" }
  | { kind: "pinch" };

/** Listens to the element that shows the ruler and the lanes. */
export class Gestures {
  private current: Gesture | null = null;
  private readonly touching = new Map<number, Point>();
  private readonly pinch: Pinch;
  private readonly measurement: RangeMeasurement;
  private readonly clicks: Clicks;
  private spaceHeld = false;
  /** Pointer position while it is over the element. */
  private pointer: Point | null = null;
  private readonly stopFollowing: () => void;
  private readonly listening = new AbortController();

  constructor(
    private readonly host: HTMLElement,
    private readonly view: TimelineView,
    private readonly scroll: (top: number) => void,
  ) {
    this.pinch = new Pinch(view);
    this.measurement = new RangeMeasurement(view);
    this.clicks = new Clicks(view, scroll);
    const { signal } = this.listening;
    host.addEventListener("pointerdown", (event) => this.down(event), { signal });
    host.addEventListener("pointermove", (event) => this.move(event), { signal });
    host.addEventListener("pointerup", (event) => this.up(event), { signal });
    host.addEventListener("pointercancel", (event) => this.end(event), { signal });
    host.addEventListener("pointerleave", () => this.leave(), { signal });
    host.addEventListener("dblclick", (event) => this.clicks.double(this.at(event)), { signal });
    host.addEventListener("contextmenu", (event) => this.menu(event), { signal });
    host.addEventListener("wheel", (event) => onWheel(event, this.at(event).x, view, scroll), {
      signal,
      passive: false,
    });
    this.stopFollowing = effect(() => {
      // The view may move under a resting pointer.
      void [view.trace.window.value, view.scrollTop.value, view.answers.value];
      untracked(() => this.point());
    });
    window.addEventListener("keydown", (event) => this.space(event, true), { signal });
    window.addEventListener("keyup", (event) => this.space(event, false), { signal });
  }

  stop(): void {
    this.stopFollowing();
    this.listening.abort();
    this.leave();
  }

  /** Position within the ruler and the lanes. */
  private at(event: MouseEvent): Point {
    const box = this.host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private menu(event: MouseEvent): void {
    event.preventDefault();
    const byKey = event instanceof PointerEvent && event.pointerType === "";
    void openTimelineMenu(this.view, this.host, byKey ? null : this.at(event));
  }

  private down(event: PointerEvent): void {
    const start = this.at(event);
    if (event.button > 1) return;
    // The middle button would start the browser's own scrolling.
    if (event.button === 1) event.preventDefault();
    this.host.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      this.touching.set(event.pointerId, start);
      if (this.touching.size === 2) {
        this.pinch.begin([...this.touching.values()].map(({ x }) => x));
        this.current = { kind: "pinch" };
        return;
      }
    }
    const pans = event.button === 1 || this.spaceHeld || start.y < RULER_HEIGHT;
    this.current = {
      kind: "pressed",
      start,
      gesture: event.pointerType === "touch" ? "touch" : pans ? "pan" : "measure",
    };
  }

  private move(event: PointerEvent): void {
    const at = this.at(event);
    this.pointer = at;
    if (this.touching.has(event.pointerId)) this.touching.set(event.pointerId, at);
    const { view, current } = this;
    const scale = view.scale();
    this.point();
    switch (current?.kind) {
      case "pressed":
        if (Math.hypot(at.x - current.start.x, at.y - current.start.y) < DRAG) return;
        this.drag(current.start, current.gesture);
        this.move(event);
        break;
      case "pan": {
        const by = (at.x - current.start.x) / scale.perUnit;
        view.trace.show(current.window.start - by, current.window.end - by);
        if (current.scrolls) this.scroll(current.scrollTop - (at.y - current.start.y));
        break;
      }
      case "measure":
        this.measurement.moveTo(at.x, at.y - RULER_HEIGHT, event.altKey);
        break;
      case "pinch":
        if (this.touching.size === 2)
          this.pinch.move([...this.touching.values()].map(({ x }) => x));
    }
  }

  /** Updates the cursor and, unless dragging, the hovered item. */
  private point(): void {
    const { pointer, view, current } = this;
    if (pointer === null) return;
    const { x, y } = pointer;
    const scale = view.scale();
    view.trace.cursor.value = x >= 0 && x <= scale.width ? scale.at(x) : null;
    this.host.dataset.over = y < RULER_HEIGHT ? "ruler" : "lanes";
    if (current !== null) return;
    const inRuler = y < RULER_HEIGHT;
    view.hovered.value = inRuler ? null : view.hit(x, y - RULER_HEIGHT);
    const noted = inRuler ? view.bookmarkAt(x) : null;
    if (noted?.bookmark !== view.hoveredFlag.peek()?.bookmark) view.hoveredFlag.value = noted;
  }

  private drag(start: Point, gesture: "pan" | "measure" | "touch"): void {
    const { view } = this;
    view.hovered.value = null;
    view.hoveredFlag.value = null;
    if (gesture === "measure") {
      this.measurement.begin(start.x, start.y - RULER_HEIGHT);
      this.current = { kind: "measure" };
      return;
    }
    this.host.dataset.panning = "";
    this.current = {
      kind: "pan",
      start,
      window: view.trace.window.peek(),
      scrollTop: view.scrollTop.peek(),
      scrolls: gesture === "touch",
    };
  }

  private up(event: PointerEvent): void {
    const { current } = this;
    const at = this.at(event);
    if (current?.kind === "measure") void this.measurement.end();
    if (current?.kind === "pressed" && event.button === 0 && !this.spaceHeld) {
      this.clicks.single(at);
    }
    this.end(event);
  }

  private end(event: PointerEvent): void {
    this.touching.delete(event.pointerId);
    // A finger that stays after a pinch is ignored until it is lifted.
    if (this.current?.kind === "pinch" && this.touching.size > 0) return;
    this.current = null;
    delete this.host.dataset.panning;
  }

  private leave(): void {
    this.pointer = null;
    this.view.hovered.value = null;
    this.view.hoveredFlag.value = null;
    this.view.trace.cursor.value = null;
  }

  /** With the space bar held, dragging pans. */
  private space(event: KeyboardEvent, held: boolean): void {
    if (event.key !== " ") return;
    const typing =
      event.target instanceof Element &&
      event.target.closest("input, textarea, select, button, [contenteditable]") !== null;
    this.spaceHeld = held && this.pointer !== null && !typing;
    if (this.spaceHeld) event.preventDefault();
  }
}
