/** Draws the lane names in exported images; on the page they are elements. */

import { loadTitle } from "../cpu-load/facts";
import type { PlacedRow } from "../layout";
import { RESULT_TITLE } from "../result/items";
import type { Surface, TextStyle } from "../surface/surface";
import type { Frame } from "./frame";

const MARGIN = 10;
const INDENT = 14;

export function drawNames(surface: Surface, frame: Frame, width: number): void {
  const { palette, shapes, height, pinnedHeight, overview } = frame;
  const draw = (rows: readonly PlacedRow[]) => {
    for (const { row, y, height } of rows) {
      shapes.rectangle(0, y, width, height - 1);
      surface.fill(row.kind === "group" ? palette.heading : palette.background, shapes);
      shapes.rectangle(0, y + height - 1, width, 1);
      surface.fill(palette.line, shapes);
      const text =
        row.kind === "group"
          ? row.title
          : row.kind === "load"
            ? loadTitle(row.core, frame.axis)
            : row.kind === "intervals"
              ? row.name
              : row.kind === "result"
                ? RESULT_TITLE
                : (overview.lanes[row.lane]?.name ?? "");
      const level = row.kind === "lane" ? row.level : 1;
      const style: TextStyle = { colour: palette.text, size: 12, bold: row.kind === "group" };
      surface.text(text, MARGIN + (level - 1) * INDENT, y + height / 2, style);
    }
  };
  const below = Math.max(height - pinnedHeight, 0);
  surface.clip({ x: 0, y: pinnedHeight, width, height: below }, () => draw(frame.scrolled));
  surface.clip({ x: 0, y: 0, width, height: pinnedHeight }, () => draw(frame.pinned));
  shapes.rectangle(width - 1, 0, 1, height);
  surface.fill(palette.line, shapes);
}
