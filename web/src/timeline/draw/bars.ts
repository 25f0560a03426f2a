/** Draws the bars of the lanes: running, ready, waiting, unknown. */

import { type ListedBars, NONE } from "../../session/lanes";
import type { LaneKind } from "../../session/wire";
import { Role } from "../classes";
import { readableOn } from "../colour";
import type { PlacedRow } from "../layout";
import type { Surface, TextStyle } from "../surface/surface";
import type { Transform } from "../transform";
import { type Frame, snap } from "./frame";
import { geometryOf, type RowGeometry, STATUS_HEIGHT } from "./geometry";
import { drawStrip } from "./strips";
import { truncate } from "./text";

/** A name inside a bar. */
interface BarLabel {
  text: string;
  x: number;
  y: number;
  colour: string;
}

const LABEL_SIZE = 11;
const LABEL_MARGIN = 4;
/** Minimum width of a bar with a name, in pixels. */
const MIN_LABEL_WIDTH = 18;
/** Waiting is drawn thinner than ready. */
const WAITING_HEIGHT = 2;
/** Relative height of an interrupt that is not nested. */
const OUTER_PART = 0.6;

export function drawBars(surface: Surface, frame: Frame, rows: readonly PlacedRow[]): void {
  const { batch, palette, shapes: unknown } = frame;
  const labels: BarLabel[] = [];
  for (const placed of rows) {
    if (placed.row.kind === "group") continue;
    const now = frame.laneContents(placed.row.lane);
    const lane = frame.overview.lanes[placed.row.lane];
    if (now === null || lane === undefined) continue;
    const { bars } = now.contents;
    if (bars.listed) addBars(surface, frame, bars, now.transform, geometryOf(placed), lane, labels);
  }
  surface.hatch(palette.lane("unknown"), unknown);
  unknown.clear();
  batch.flush((colour, rectangles) => surface.fill(colour, rectangles));
  for (const { text, x, y, colour } of labels) {
    surface.text(text, x, y, { colour: readableOn(colour), size: LABEL_SIZE });
  }
  for (const placed of rows) drawStrip(surface, frame, placed);
}

function addBars(
  surface: Surface,
  frame: Frame,
  bars: ListedBars,
  { stretch, offset }: Transform,
  at: RowGeometry,
  lane: LaneKind,
  labels: BarLabel[],
): void {
  const { roles, colours, batch, ratio, width, shapes: unknown } = frame;
  const { start, end, class: classes, subject } = bars;
  const ofCore = lane.kind === "summary" || lane.kind === "core";
  const stacked = lane.kind === "interrupt";
  const routine = lane.kind === "isr";
  const { statusLines } = frame.options;
  const least = 1 / ratio;
  let lastRight = -Infinity;
  let lastClass = -1;
  for (let bar = 0; bar < start.length; bar += 1) {
    const left = (start[bar] ?? 0) * stretch + offset;
    const right = (end[bar] ?? 0) * stretch + offset;
    if (right < -1) continue;
    if (left > width + 1) {
      if (stacked) continue;
      break;
    }
    const code = classes[bar] ?? 0;
    const x0 = snap(Math.max(left, -4), ratio);
    const x1 = Math.max(snap(Math.min(right, width + 4), ratio), x0 + Math.max(least, 1));
    // Skip a bar within the pixels of an equal one.
    if (code === lastClass && x1 <= lastRight) continue;
    lastRight = x1;
    lastClass = code;
    switch (roles[code]) {
      case Role.nothing:
        break;
      case Role.unknown:
        unknown.rectangle(x0, at.barTop, x1 - x0, at.barHeight);
        break;
      case Role.ready:
        if (statusLines !== "off") {
          batch.of(colours[code] ?? "").rectangle(x0, at.statusTop, x1 - x0, STATUS_HEIGHT);
        }
        break;
      case Role.waiting:
        if (statusLines === "all") {
          batch
            .of(colours[code] ?? "")
            .rectangle(x0, at.statusTop + STATUS_HEIGHT - WAITING_HEIGHT, x1 - x0, WAITING_HEIGHT);
        }
        break;
      case Role.thread: {
        const context = subject[bar] ?? NONE;
        const colour =
          context === NONE
            ? (colours[code] ?? "")
            : (frame.palette.contexts[context % frame.palette.contexts.length] ?? "");
        const gap = x1 - x0 >= 4 ? 1 : 0;
        batch.of(colour).rectangle(x0, at.barTop, x1 - x0 - gap, at.barHeight);
        if (ofCore && x1 - x0 >= MIN_LABEL_WIDTH) {
          addLabel(
            surface,
            frame,
            frame.overview.contexts[context]?.name ?? "",
            colour,
            Math.max(x0, 0),
            Math.min(x1, width),
            at,
            labels,
          );
        }
        break;
      }
      case Role.isr: {
        const outer = stacked ? Math.round(at.barHeight * (1 - OUTER_PART)) : 0;
        batch
          .of(colours[code] ?? "")
          .rectangle(x0, at.barTop + outer, x1 - x0, at.barHeight - outer);
        break;
      }
      case Role.interrupted:
        batch
          .of(colours[code] ?? "")
          .rectangle(
            x0,
            at.barTop + Math.round(at.barHeight / 3),
            x1 - x0,
            Math.round(at.barHeight / 3),
          );
        break;
      case Role.state: {
        const colour = colours[code] ?? "";
        // A gap separates adjacent bars of the same colour.
        const gap = x1 - x0 >= 3 ? 1 : 0;
        batch.of(colour).rectangle(x0, at.barTop, x1 - x0 - gap, at.barHeight);
        if (lane.kind === "machine" && x1 - x0 >= MIN_LABEL_WIDTH) {
          addLabel(
            surface,
            frame,
            frame.stateName(lane.context, subject[bar] ?? NONE),
            colour,
            Math.max(x0, 0),
            Math.min(x1 - gap, width),
            at,
            labels,
            true,
          );
        }
        break;
      }
      case Role.running:
        batch
          .of((routine ? frame.palette.lane("isr") : colours[code]) ?? "")
          .rectangle(x0, at.barTop, x1 - x0, at.barHeight);
        break;
      default: {
        const colour = colours[code] ?? "";
        batch.of(colour).rectangle(x0, at.barTop, x1 - x0, at.barHeight);
        if (ofCore && x1 - x0 >= MIN_LABEL_WIDTH && roles[code] !== Role.nestedIsr) {
          const text = roles[code] === Role.idle ? "idle" : "initialise";
          addLabel(surface, frame, text, colour, Math.max(x0, 0), Math.min(x1, width), at, labels);
        }
      }
    }
  }
}

function addLabel(
  surface: Surface,
  frame: Frame,
  text: string,
  colour: string,
  x0: number,
  x1: number,
  at: RowGeometry,
  labels: BarLabel[],
  shortens = false,
): void {
  const style: TextStyle = { colour: frame.palette.text, size: LABEL_SIZE };
  const room = x1 - x0 - 2 * LABEL_MARGIN;
  const fitting = shortens
    ? truncate(surface, text, style, room)
    : surface.measure(text, style) > room
      ? ""
      : text;
  if (fitting === "") return;
  labels.push({
    text: fitting,
    x: x0 + LABEL_MARGIN,
    y: at.barTop + at.barHeight / 2 + 0.5,
    colour,
  });
}
