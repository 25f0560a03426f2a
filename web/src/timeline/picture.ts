/** Exports the current view as an image file. */

import { settings } from "../state/settings";
import type { TraceState } from "../state/trace";
import type { Frame } from "./draw/frame";
import { drawNames } from "./draw/names";
import { drawMarks } from "./draw/overlay";
import { RULER_HEIGHT } from "./draw/ruler";
import { drawPicture } from "./painter";
import { CanvasSurface } from "./surface/canvas";
import type { Surface } from "./surface/surface";
import { SvgSurface } from "./surface/svg";
import { type TimelineView, views } from "./view";

/** Pixel ratio of PNG files, high enough for printing. */
const RATIO = 2;

/** Maximum number of pixels of a side that all browsers encode. */
const MAX_SIDE = 16_384;

/** The lanes in view, or all of them. */
export type PictureExtent = "view" | "all-lanes";

/**
 * Renders the timeline of a trace with its lane names.
 *
 * @throws if the trace's timeline is not on the page, or the browser cannot encode the image.
 */
export async function renderPicture(
  trace: TraceState,
  format: "png" | "svg",
  extent: PictureExtent,
): Promise<Blob> {
  const view = views.get(trace);
  if (view === undefined) throw new Error("The timeline of this trace is not shown.");
  const names = settings.nameWidth.peek();
  const frameOf = (ratio: number) =>
    extent === "view" ? view.frame(ratio) : view.wholeFrame(ratio);
  let frame = await frameOf(format === "svg" ? 1 : RATIO);
  const width = names + frame.width;
  const height = frame.height + RULER_HEIGHT;
  const { kinds } = trace.overview;
  if (format === "svg") {
    const surface = new SvgSurface(width, height, kinds);
    draw(surface, frame, view, names);
    return new Blob([surface.finish()], { type: "image/svg+xml" });
  }
  if (Math.max(width, height) * frame.ratio > MAX_SIDE) frame = await frameOf(1);
  if (Math.max(width, height) > MAX_SIDE) {
    throw new Error("The picture is too large for PNG; save it as SVG.");
  }
  const canvas = document.createElement("canvas");
  const surface = new CanvasSurface(canvas, kinds);
  surface.begin(width, height, frame.ratio);
  draw(surface, frame, view, names);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("The image is too large for this browser.");
  return blob;
}

function draw(surface: Surface, frame: Frame, view: TimelineView, names: number): void {
  const { shapes, palette, width, height } = frame;
  shapes.rectangle(0, 0, names + width, RULER_HEIGHT + height);
  surface.fill(palette.background, shapes);
  shapes.rectangle(0, 0, names, RULER_HEIGHT);
  surface.fill(palette.heading, shapes);
  surface.text(frame.overview.name, 10, RULER_HEIGHT / 2, { colour: palette.textMuted, size: 11 });
  surface.within({ x: 0, y: RULER_HEIGHT, width: names, height }, () =>
    drawNames(surface, frame, names),
  );
  surface.within({ x: names, y: 0, width, height: RULER_HEIGHT + height }, () => {
    drawPicture(surface, frame);
    drawMarks(surface, frame, view);
  });
}
