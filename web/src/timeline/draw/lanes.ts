/** Draws all lanes, layer by layer. */

import { arrowsOf } from "../arrows";
import { drawCpuLoads } from "../cpu-load/draw";
import { drawIntervals } from "../intervals/bars";
import type { PlacedRow } from "../layout";
import { drawResult } from "../result/draw";
import type { RulerMarks } from "../ruler";
import type { Surface } from "../surface/surface";
import { drawGaps, drawSwitches, drawWakes } from "./across";
import { drawBars } from "./bars";
import type { Frame } from "./frame";
import { drawHits } from "./hits";
import { drawIcons } from "./icons";
import { drawInversions } from "./inversions";
import type { LabelBox } from "./label-box";
import { drawPostNames, drawPosts } from "./posts";
import { drawQueueLevels } from "./queue-levels";
import { drawRows } from "./rows";

/** Draws the rows; scrolled rows do not overlap pinned rows. */
export function drawLanes(surface: Surface, frame: Frame, marks: RulerMarks): void {
  const { width, height, pinnedHeight } = frame;
  const pinned = { x: 0, y: 0, width, height: pinnedHeight };
  const scrolled = { x: 0, y: pinnedHeight, width, height: Math.max(height - pinnedHeight, 0) };
  const both = (layer: (rows: readonly PlacedRow[], isPinned: boolean) => void) => {
    surface.clip(scrolled, () => layer(frame.scrolled, false));
    surface.clip(pinned, () => layer(frame.pinned, true));
  };
  const barNames: LabelBox[] = [];
  both((rows, isPinned) => {
    drawRows(surface, frame, rows, marks);
    drawInversions(surface, frame, isPinned);
    drawQueueLevels(surface, frame, rows, "area");
    // Below the bars of lanes that a switch only passes.
    drawSwitches(surface, frame);
    barNames.push(...drawBars(surface, frame, rows));
    drawCpuLoads(surface, frame, rows);
    drawIntervals(surface, frame, rows);
    drawResult(surface, frame, rows);
    drawQueueLevels(surface, frame, rows, "edge");
  });
  drawWakes(surface, frame);
  const arrows = frame.posts.length > 0 ? arrowsOf(frame) : [];
  drawPosts(surface, frame, arrows);
  both((rows) => {
    drawIcons(surface, frame, rows);
    drawHits(surface, frame, rows);
  });
  drawPostNames(surface, frame, arrows, barNames);
  drawGaps(surface, frame);
  if (pinnedHeight > 0) {
    frame.shapes.rectangle(0, pinnedHeight - 1, width, 1);
    surface.fill(frame.palette.switch, frame.shapes);
  }
}
