/**
 * Pointer input of the overview strip: moves the box or its edges; a press beside the box jumps
 * there.
 */

import type { Interval } from "../../state/interval";
import type { TraceState } from "../../state/trace";
import { Scale } from "../transform";

/** Hit distance of the edges in pixels. */
const EDGE = 6;

export type Grip = "left" | "right" | "box" | "beside";

/** Part of the box at a pixel. In a narrow box, the middle third moves it. */
export function gripAt(x: number, left: number, right: number): Grip {
  const reach = Math.min(EDGE, (right - left) / 3);
  if (Math.abs(x - left) <= reach || (x < left && left - x <= EDGE)) return "left";
  if (Math.abs(x - right) <= reach || (x > right && x - right <= EDGE)) return "right";
  return x > left && x < right ? "box" : "beside";
}

export class StripDragging {
  private drag: { grip: Grip; start: number; window: Interval } | null = null;
  private readonly listening = new AbortController();

  constructor(
    private readonly host: HTMLElement,
    private readonly trace: TraceState,
  ) {
    const { signal } = this.listening;
    host.addEventListener("pointerdown", (event) => this.down(event), { signal });
    host.addEventListener("pointermove", (event) => this.move(event), { signal });
    host.addEventListener(
      "lostpointercapture",
      () => {
        this.drag = null;
      },
      { signal },
    );
    host.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
  }

  stop(): void {
    this.listening.abort();
  }

  private scale(): Scale {
    return Scale.of(this.trace.fullInterval.peek(), this.host.clientWidth);
  }

  private x(event: MouseEvent): number {
    return event.clientX - this.host.getBoundingClientRect().left;
  }

  private grip(event: MouseEvent): Grip {
    const scale = this.scale();
    const { start: from, end: to } = this.trace.window.peek();
    return gripAt(this.x(event), scale.x(from), scale.x(to));
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const { trace } = this;
    let grip = this.grip(event);
    if (grip === "beside") {
      const { start: from, end: to } = trace.window.peek();
      const at = this.scale().at(this.x(event));
      trace.show(at - (to - from) / 2, at + (to - from) / 2);
      grip = "box";
    }
    this.host.setPointerCapture(event.pointerId);
    this.drag = { grip, start: this.x(event), window: trace.window.peek() };
  }

  private move(event: PointerEvent): void {
    const { drag, trace } = this;
    if (drag === null) {
      this.host.dataset.grip = this.grip(event);
      return;
    }
    const by = (this.x(event) - drag.start) / this.scale().perUnit;
    const { start: from, end: to } = drag.window;
    if (drag.grip === "left") trace.show(Math.min(from + by, to), to);
    else if (drag.grip === "right") trace.show(from, Math.max(to + by, from));
    else trace.show(from + by, to + by);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.trace.zoom(Math.exp(Math.sign(event.deltaY) * 0.2));
  }
}
