/** Pointer input of the ruler and the lanes: zoom, pan, measure, select. */

import { effect, untracked } from "@preact/signals";
import type { Interval } from "../../state/interval";
import { RULER_HEIGHT } from "../draw/ruler";
import type { TimelineView } from "../view";
import { Choosing } from "./choosing";
import { Measuring } from "./measuring";
import { Pinch } from "./pinch";
import { onWheel } from "./wheel";

/** Distance after which a press becomes a drag, in pixels. */
const DRAG = 4;

interface Point {
  x: number;
  y: number;
}

/** Current gesture. */
type Doing =
  | { kind: "pressed"; start: Point; gesture: "pan" | "measure" | "touch" }
  | { kind: "pan"; start: Point; window: Interval; scrollTop: number; scrolls: boolean }
  | { kind: "measure" }
  | { kind: "pinch" };

/** Listens to the element that shows the ruler and the lanes. */
export class Gestures {
  private doing: Doing | null = null;
  private readonly touching = new Map<number, Point>();
  private readonly pinch: Pinch;
  private readonly measuring: Measuring;
  private readonly choosing: Choosing;
  private spaceHeld = false;
  /** Pointer position while it is over the element. */
  private over: Point | null = null;
  private readonly stopFollowing: () => void;
  private readonly listening = new AbortController();

  constructor(
    private readonly host: HTMLElement,
    private readonly view: TimelineView,
    private readonly scroll: (top: number) => void,
  ) {
    this.pinch = new Pinch(view);
    this.measuring = new Measuring(view);
    this.choosing = new Choosing(view);
    const { signal } = this.listening;
    host.addEventListener("pointerdown", (event) => this.down(event), { signal });
    host.addEventListener("pointermove", (event) => this.move(event), { signal });
    host.addEventListener("pointerup", (event) => this.up(event), { signal });
    host.addEventListener("pointercancel", (event) => this.end(event), { signal });
    host.addEventListener("pointerleave", () => this.leave(), { signal });
    host.addEventListener("dblclick", (event) => this.choosing.twice(this.at(event)), { signal });
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
        this.doing = { kind: "pinch" };
        return;
      }
    }
    const pans = event.button === 1 || this.spaceHeld || start.y < RULER_HEIGHT;
    this.doing = {
      kind: "pressed",
      start,
      gesture: event.pointerType === "touch" ? "touch" : pans ? "pan" : "measure",
    };
  }

  private move(event: PointerEvent): void {
    const at = this.at(event);
    this.over = at;
    if (this.touching.has(event.pointerId)) this.touching.set(event.pointerId, at);
    const { view, doing } = this;
    const scale = view.scale();
    this.point();
    switch (doing?.kind) {
      case "pressed":
        if (Math.hypot(at.x - doing.start.x, at.y - doing.start.y) < DRAG) return;
        this.drag(doing.start, doing.gesture);
        this.move(event);
        break;
      case "pan": {
        const by = (at.x - doing.start.x) / scale.perUnit;
        view.trace.show(doing.window.from - by, doing.window.to - by);
        if (doing.scrolls) this.scroll(doing.scrollTop - (at.y - doing.start.y));
        break;
      }
      case "measure":
        this.measuring.to(at.x, at.y - RULER_HEIGHT, event.altKey);
        break;
      case "pinch":
        if (this.touching.size === 2)
          this.pinch.move([...this.touching.values()].map(({ x }) => x));
    }
  }

  /** Updates the cursor and, unless dragging, the hovered item. */
  private point(): void {
    const { over, view, doing } = this;
    if (over === null) return;
    const { x, y } = over;
    const scale = view.scale();
    view.trace.cursor.value = x >= 0 && x <= scale.width ? scale.at(x) : null;
    this.host.dataset.over = y < RULER_HEIGHT ? "ruler" : "lanes";
    if (doing !== null) return;
    const inRuler = y < RULER_HEIGHT;
    view.hovered.value = inRuler ? null : view.hit(x, y - RULER_HEIGHT);
    const noted = inRuler ? view.bookmarkAt(x) : null;
    if (noted?.bookmark !== view.noted.peek()?.bookmark) view.noted.value = noted;
  }

  private drag(start: Point, gesture: "pan" | "measure" | "touch"): void {
    const { view } = this;
    view.hovered.value = null;
    view.noted.value = null;
    if (gesture === "measure") {
      this.measuring.begin(start.x, start.y - RULER_HEIGHT);
      this.doing = { kind: "measure" };
      return;
    }
    this.host.dataset.panning = "";
    this.doing = {
      kind: "pan",
      start,
      window: view.trace.window.peek(),
      scrollTop: view.scrollTop.peek(),
      scrolls: gesture === "touch",
    };
  }

  private up(event: PointerEvent): void {
    const { doing } = this;
    const at = this.at(event);
    if (doing?.kind === "measure") void this.measuring.end();
    if (doing?.kind === "pressed" && event.button === 0 && !this.spaceHeld) {
      this.choosing.once(at);
    }
    this.end(event);
  }

  private end(event: PointerEvent): void {
    this.touching.delete(event.pointerId);
    // A finger that stays after a pinch is ignored until it is lifted.
    if (this.doing?.kind === "pinch" && this.touching.size > 0) return;
    this.doing = null;
    delete this.host.dataset.panning;
  }

  private leave(): void {
    this.over = null;
    this.view.hovered.value = null;
    this.view.noted.value = null;
    this.view.trace.cursor.value = null;
  }

  /** With the space bar held, dragging pans. */
  private space(event: KeyboardEvent, held: boolean): void {
    if (event.key !== " ") return;
    const typing =
      event.target instanceof Element &&
      event.target.closest("input, textarea, select, button, [contenteditable]") !== null;
    this.spaceHeld = held && this.over !== null && !typing;
    if (this.spaceHeld) event.preventDefault();
  }
}
