/** Small pictures for the legend, drawn by the functions that draw the lanes. */

import type { LanesAnswer } from "../../session/lanes";
import { emptyOverview } from "../../state/live/empty-overview";
import { drawGaps, drawSwitches, emphasiseWakes } from "../../timeline/draw/across";
import { addBar } from "../../timeline/draw/bar";
import type { Frame } from "../../timeline/draw/frame";
import { geometryOf } from "../../timeline/draw/geometry";
import { drawInversions } from "../../timeline/draw/inversions";
import { StripPool } from "../../timeline/draw/strips";
import type { PlacedRow } from "../../timeline/layout";
import type { Palette } from "../../timeline/palette";
import { Batch, Shapes } from "../../timeline/surface/shapes";
import type { Surface } from "../../timeline/surface/surface";
import { Scale } from "../../timeline/transform";
import { SAMPLE } from "./Sample";

/** A bar over the width of the sample. */
export function drawBarSample(
  surface: Surface,
  colours: Palette,
  role: number,
  colour: string,
): void {
  const shapes = { palette: colours, batch: new Batch(), unknown: new Shapes() };
  const at = geometryOf({ y: 0, height: SAMPLE.height, split: false, flat: false });
  addBar(shapes, at, { role, colour, x: 0, width: SAMPLE.width, stacked: true });
  surface.hatch(colours.lane("unknown"), shapes.unknown);
  shapes.batch.flush((filled, rectangles) => surface.fill(filled, rectangles));
}

/** An answer with one item across two lanes, `from` above `to`. */
function across(part: Partial<LanesAnswer>): LanesAnswer {
  return {
    width: SAMPLE.width,
    start: 0,
    end: SAMPLE.width,
    lanes: [],
    switches: null,
    wakes: null,
    inversions: null,
    gaps: null,
    inversionShares: [],
    hits: null,
    bytes: 0,
    ...part,
  };
}

const LEFT = Float32Array.of(8);
const MIDDLE = Float32Array.of(SAMPLE.width / 2);
const RIGHT = Float32Array.of(SAMPLE.width - 8);
const FIRST = Uint32Array.of(0);
const SECOND = Uint32Array.of(1);

/** A frame with two lanes, of the contexts 0 and 1. */
function frameOf(colours: Palette, answer: LanesAnswer): Frame {
  const row = (index: number): PlacedRow => ({
    row: { kind: "lane", lane: index, level: 1, group: null, attached: false, expanded: null },
    index,
    pinned: false,
    y: (index * SAMPLE.height) / 2,
    height: SAMPLE.height / 2,
    split: false,
    flat: false,
  });
  const rows = [row(0), row(1)];
  const { width, height } = SAMPLE;
  return {
    overview: emptyOverview(""),
    axis: "time",
    frequencyHz: null,
    scale: Scale.of(answer, width),
    width,
    height,
    ratio: window.devicePixelRatio,
    palette: colours,
    options: {
      statusLines: "all",
      switchLines: true,
      wakeArrows: true,
      inversions: true,
      icons: true,
      postArrows: false,
      queueDepths: false,
    },
    roles: new Uint8Array(),
    colours: [],
    pinned: [],
    scrolled: rows,
    pinnedHeight: 0,
    rowOf: (lane) => rows[lane] ?? null,
    rowOfContext: (context) => rows[context] ?? null,
    contextColour: () => "",
    laneColour: () => undefined,
    laneContents: () => null,
    stateName: () => "",
    queueLevel: () => null,
    intervals: () => null,
    cpuLoad: () => null,
    selectedLoad: null,
    result: null,
    posts: [],
    densityScale: null,
    across: { answer, transform: { stretch: 1, offset: 0 } },
    strips: new StripPool(),
    batch: new Batch(),
    shapes: new Shapes(),
  };
}

const SWITCH = across({
  switches: { x: MIDDLE, from: FIRST, to: SECOND, event: FIRST },
});
const WAKE = across({
  wakes: { x0: LEFT, x1: RIGHT, waker: FIRST, thread: SECOND, cause: FIRST, effect: SECOND },
});
const GAP = across({ gaps: { x: MIDDLE, event: FIRST } });
const inversion = (unbounded: number) =>
  across({
    inversions: {
      x0: LEFT,
      x1: RIGHT,
      number: FIRST,
      blocked: FIRST,
      owner: SECOND,
      unbounded: Uint32Array.of(unbounded),
    },
  });
const [BOUNDED, UNBOUNDED] = [inversion(0), inversion(1)];

export const drawSwitchSample = (surface: Surface, colours: Palette) =>
  drawSwitches(surface, frameOf(colours, SWITCH));
export const drawWakeSample = (surface: Surface, colours: Palette) =>
  emphasiseWakes(surface, frameOf(colours, WAKE), 0, null);
export const drawGapSample = (surface: Surface, colours: Palette) =>
  drawGaps(surface, frameOf(colours, GAP));
export const drawBoundedSample = (surface: Surface, colours: Palette) =>
  drawInversions(surface, frameOf(colours, BOUNDED), false);
export const drawUnboundedSample = (surface: Surface, colours: Palette) =>
  drawInversions(surface, frameOf(colours, UNBOUNDED), false);
