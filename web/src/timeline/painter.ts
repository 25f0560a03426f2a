/** Draws after changes, at most once per frame. */

import { effect } from "@preact/signals";
import { pathReport } from "../state/critical-path";
import { measure } from "../state/measure";
import type { DensityScale } from "../state/trace";
import type { Frame } from "./draw/frame";
import { drawRulerHits } from "./draw/hits";
import { drawLanes } from "./draw/lanes";
import { drawOverlay } from "./draw/overlay";
import { drawRuler, labelStyle, RULER_HEIGHT } from "./draw/ruler";
import { rulerMarks } from "./ruler";
import { CanvasSurface } from "./surface/canvas";
import type { Surface } from "./surface/surface";
import type { TimelineView } from "./view";

/** Number of measurements kept in the browser's performance timeline. */
const MAX_MEASUREMENTS = 2000;

/** Draws the ruler and the lanes below it on a surface. */
export function drawPicture(surface: Surface, frame: Frame): void {
  const style = labelStyle("");
  const marks = rulerMarks(frame.scale, frame.axis, frame.frequencyHz, (text) =>
    surface.measure(text, style),
  );
  drawRuler(surface, frame, marks);
  drawRulerHits(surface, frame);
  surface.within({ x: 0, y: RULER_HEIGHT, width: frame.width, height: frame.height }, () =>
    drawLanes(surface, frame, marks),
  );
}

/** Keeps two canvases up to date: the lanes, and the overlay that follows the pointer. */
export class Painter {
  private readonly lanes: CanvasSurface;
  private readonly overlay: CanvasSurface;
  private lanesChanged = true;
  private overlayChanged = true;
  private scheduled = 0;
  private readonly stops: (() => void)[];

  constructor(
    private readonly view: TimelineView,
    lanes: HTMLCanvasElement,
    overlay: HTMLCanvasElement,
  ) {
    this.lanes = new CanvasSurface(lanes, []);
    this.overlay = new CanvasSurface(overlay, []);
    this.stops = [
      // Subscribes to everything that a frame depends on.
      effect(() => {
        view.frame(1);
        this.redraw();
      }),
      effect(() => {
        const { trace } = view;
        void [
          trace.cursor.value,
          trace.selected.value,
          trace.range.value,
          trace.bookmarks.value,
          trace.markers.a.value,
          trace.markers.b.value,
          view.hovered.value,
          view.hoveredName.value,
          view.itemPath.value,
          pathReport(trace).value,
          view.positions.changes.value,
        ];
        this.overlayChanged = true;
        this.schedule();
      }),
    ];
  }

  /** Redraws everything, for example on another screen. */
  redraw(): void {
    this.lanesChanged = true;
    this.overlayChanged = true;
    this.schedule();
  }

  stop(): void {
    for (const stop of this.stops) stop();
    cancelAnimationFrame(this.scheduled);
  }

  private schedule(): void {
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.scheduled = 0;
    const { view } = this;
    const [width, height] = [view.width.peek(), view.height.peek()];
    if (width < 1 || height < 1) return;
    const start = performance.now();
    const ratio = window.devicePixelRatio;
    const frame = view.frame(ratio);
    if (this.lanesChanged) {
      this.lanesChanged = false;
      this.lanes.setKinds(frame.overview.kinds);
      this.lanes.begin(width, height + RULER_HEIGHT, ratio);
      drawPicture(this.lanes, frame);
      this.publish(frame.densityScale);
      view.trace.live?.painted();
      view.fetch();
    }
    if (this.overlayChanged) {
      this.overlayChanged = false;
      this.overlay.begin(width, height + RULER_HEIGHT, ratio);
      drawOverlay(this.overlay, frame, view);
    }
    measure("rtoscope:draw", { start }, MAX_MEASUREMENTS);
  }

  private publish(scale: DensityScale | null): void {
    const { densityScale } = this.view.trace;
    const known = densityScale.peek();
    if (known?.low !== scale?.low || known?.high !== scale?.high) densityScale.value = scale;
  }
}
