/**
 * Draws lanes with too many bars or events to list: shares and densities by pixel, painted once per
 * answer and then only moved and stretched.
 */

import type { BinnedBars, BinnedEvents, LaneContents } from "../../session/lanes";
import type { LaneKind } from "../../session/wire";
import type { DensityScale } from "../../state/trace";
import { Role } from "../classes";
import { pixel, rgb } from "../colour";
import type { PlacedRow } from "../layout";
import type { Palette } from "../palette";
import type { Strip, Surface } from "../surface/surface";
import { heatOf } from "./density";
import type { Frame } from "./frame";
import { geometryOf, STATUS_HEIGHT } from "./geometry";

/** Rows of pixels: shares at the top, then one row for the status, then one for densities. */
const SHARE_ROWS = 36;
const STATUS_ROW = SHARE_ROWS;
const DENSITY_ROW = SHARE_ROWS + 1;
const ROWS = DENSITY_ROW + 1;
/** Height of a density strip in pixels. */
const DENSITY_HEIGHT = 6;
/** Opacity of the lowest density of the scale, 0 to 255. */
const MIN_OPACITY = 50;
/** Minimum rows for a share greater than zero. */
const MIN_SHARE_ROWS = 2;
/** Rows of the edges of idle. */
const EDGE_ROWS = 1;
const MAX_CACHED = 320;

interface PaintedStrip {
  strip: Strip;
  contents: LaneContents;
  colours: readonly string[];
  statusLines: string;
  scale: DensityScale | null;
  /** The colour that the user gave the lane. */
  own: string | undefined;
}

/** Strips of lanes, painted on first use. */
export class StripPool {
  private readonly painted = new Map<number, PaintedStrip>();
  private image: ImageData | null = null;

  get(frame: Frame, contents: LaneContents, lane: LaneKind): Strip | null {
    const known = this.painted.get(contents.lane);
    const { colours, densityScale: scale } = frame;
    const { statusLines } = frame.options;
    const own = frame.laneColour(contents.lane);
    if (
      known?.contents === contents &&
      known.colours === colours &&
      known.statusLines === statusLines &&
      known.own === own &&
      known.scale?.low === scale?.low &&
      known.scale?.high === scale?.high
    ) {
      return known.strip;
    }
    const width = widthOf(contents);
    const strip = known?.strip ?? { canvas: document.createElement("canvas"), width, height: ROWS };
    if (strip.canvas.width !== width) strip.canvas.width = width;
    if (strip.canvas.height !== ROWS) strip.canvas.height = ROWS;
    strip.width = width;
    const context = strip.canvas.getContext("2d");
    if (context === null) return null;
    if (this.image?.width !== width) this.image = context.createImageData(width, ROWS);
    const pixels = new Uint32Array(this.image.data.buffer);
    pixels.fill(0);
    const { bars, events } = contents;
    if (!bars.listed) paintShares(pixels, bars, width, frame, lane, own);
    if (!events.listed && scale !== null) {
      paintDensities(pixels, events, width, scale, frame.palette);
    }
    context.putImageData(this.image, 0, 0);
    this.painted.delete(contents.lane);
    this.painted.set(contents.lane, { strip, contents, colours, statusLines, scale, own });
    for (const lane of this.painted.keys()) {
      if (this.painted.size <= MAX_CACHED) break;
      this.painted.delete(lane);
    }
    return strip;
  }
}

function widthOf({ bars, events }: LaneContents): number {
  if (!bars.listed) return bars.class.length;
  return events.listed ? 1 : events.density.length;
}

/** Draws the part of a lane that is given by pixel. */
export function drawStrip(surface: Surface, frame: Frame, placed: PlacedRow): void {
  if (placed.row.kind !== "lane") return;
  const now = frame.laneContents(placed.row.lane);
  const lane = frame.overview.lanes[placed.row.lane];
  if (now === null || lane === undefined) return;
  const { bars, events } = now.contents;
  if (bars.listed && events.listed) return;
  const strip = frame.strips.get(frame, now.contents, lane);
  if (strip === null) return;
  const { stretch, offset } = now.transform;
  const from = Math.max(0, Math.floor(-offset / stretch));
  const to = Math.min(strip.width, Math.ceil((frame.width - offset) / stretch));
  if (to <= from) return;
  const [x, width] = [from * stretch + offset, (to - from) * stretch];
  const at = geometryOf(placed);
  const put = (top: number, height: number, y: number, high: number) =>
    surface.strip(strip, { from, width: to - from, top, height }, { x, y, width, height: high });
  if (!bars.listed) {
    put(0, SHARE_ROWS, at.barTop, at.barHeight);
    put(STATUS_ROW, 1, at.statusTop, STATUS_HEIGHT);
  }
  if (!events.listed) {
    put(DENSITY_ROW, 1, at.tickTop, DENSITY_HEIGHT);
  }
}

function paintShares(
  pixels: Uint32Array,
  bars: BinnedBars,
  width: number,
  frame: Frame,
  lane: LaneKind,
  own: string | undefined,
): void {
  const { roles, colours, palette } = frame;
  const { class: classes, busy, isr } = bars;
  const opaque = (colour: string) => pixel(rgb(colour));
  const byClass = new Uint32Array(256);
  colours.forEach((colour, code) => {
    byClass[code] = opaque(colour);
  });
  const ofInterrupts = opaque(palette.lane("isr"));
  const isInterrupt = lane.kind === "interrupt" || lane.kind === "isr";
  const ofStates = lane.kind === "machine";
  // Most contexts run for a small part of the time: the square root of it makes them visible. Cores
  // show what runs in proportion.
  const isShared = isr !== null || ofStates;
  const ofBusy =
    isInterrupt && own === undefined
      ? ofInterrupts
      : opaque(
          own ??
            palette.lane(
              lane.kind === "interrupts-off" || lane.kind === "marker"
                ? lane.kind
                : lane.kind === "pipeline-stage"
                  ? "item"
                  : lane.kind === "thread"
                    ? "running"
                    : "thread",
            ),
        );
  const unknown = opaque(palette.lane("unknown"));
  const idleEdge = opaque(palette.idleEdge);
  const { statusLines } = frame.options;
  for (let x = 0; x < width; x += 1) {
    const code = classes[x] ?? 0;
    const role = roles[code];
    const share = busy[x] ?? 0;
    const part = isShared ? share / 255 : Math.sqrt(share / 255);
    const high = share === 0 ? 0 : Math.max(MIN_SHARE_ROWS, Math.round(part * SHARE_ROWS));
    // Late items look different.
    const isByClass = ofStates || (lane.kind === "pipeline-stage" && role === Role.running);
    const isrShare = isr?.[x] ?? 0;
    const interrupts =
      isrShare === 0 ? 0 : Math.max(1, Math.min(high, Math.round((isrShare * SHARE_ROWS) / 255)));
    const isQuiet = role === Role.idle || role === Role.initialize;
    const isEmpty = high === 0 && !isQuiet && role !== Role.unknown && role !== Role.interrupted;
    for (let row = isEmpty ? SHARE_ROWS : 0; row < SHARE_ROWS; row += 1) {
      const above = SHARE_ROWS - row;
      const at = row * width + x;
      const isEdge = role === Role.idle && (row < EDGE_ROWS || above <= EDGE_ROWS);
      if (above <= interrupts) pixels[at] = ofInterrupts;
      else if (above <= high) pixels[at] = isByClass ? (byClass[code] ?? 0) : ofBusy;
      else if (isQuiet) pixels[at] = isEdge ? idleEdge : (byClass[code] ?? 0);
      else if (role === Role.unknown && (x + row) % 7 === 0) pixels[at] = unknown;
      else if (role === Role.interrupted && row >= SHARE_ROWS / 3 && above > SHARE_ROWS / 3)
        pixels[at] = byClass[code] ?? 0;
    }
    const hasStatus =
      role === Role.ready ? statusLines !== "off" : role === Role.waiting && statusLines === "all";
    if (hasStatus) pixels[STATUS_ROW * width + x] = byClass[code] ?? 0;
  }
}

/** The higher the density on the scale, the stronger the colour. */
function paintDensities(
  pixels: Uint32Array,
  events: BinnedEvents,
  width: number,
  scale: DensityScale,
  palette: Palette,
): void {
  const colour = rgb(palette.density);
  for (let x = 0; x < width; x += 1) {
    const density = events.density[x] ?? 0;
    if (density === 0) continue;
    const opacity = MIN_OPACITY + heatOf(density, scale) * (255 - MIN_OPACITY);
    pixels[DENSITY_ROW * width + x] = pixel(colour, Math.round(opacity));
  }
}
