/** Drawing on a canvas. */

import type { EventKind } from "../../session/wire";
import { halves, ICON_HEIGHT, ICON_WIDTH } from "./icons";
import type { Shapes } from "./shapes";
import {
  type Box,
  fontOf,
  type Strip,
  type StripPart,
  type Surface,
  type TextStyle,
} from "./surface";

const HATCH = 7;
/** Columns of the icon atlas. */
const COLUMNS = 32;
/** Maximum number of cached text widths. */
const MAX_CACHED_WIDTHS = 5000;

/** A canvas whose coordinates are page pixels at any device pixel ratio. */
export class CanvasSurface implements Surface {
  readonly context: CanvasRenderingContext2D;
  ratio = 1;
  private readonly hatches = new Map<string, CanvasPattern | null>();
  private icons: HTMLCanvasElement | null = null;
  private readonly measured = new Map<string, number>();

  /** `kinds` are the event kinds that are drawn. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    private kinds: readonly EventKind[],
  ) {
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("this browser cannot draw on a canvas");
    this.context = context;
  }

  /** Sets the event kinds. */
  setKinds(kinds: readonly EventKind[]): void {
    if (kinds === this.kinds) return;
    // The atlas remains valid if only event counts changed.
    const isSame =
      kinds.length === this.kinds.length && kinds.every(({ id }, at) => id === this.kinds[at]?.id);
    this.kinds = kinds;
    if (!isSame) this.icons = null;
  }

  /** Clears the canvas and sets its size. */
  begin(width: number, height: number, ratio: number): void {
    const [wide, high] = [
      Math.max(1, Math.round(width * ratio)),
      Math.max(1, Math.round(height * ratio)),
    ];
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    if (ratio !== this.ratio) {
      this.ratio = ratio;
      this.icons = null;
      this.hatches.clear();
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.context.imageSmoothingEnabled = false;
  }

  clip(box: Box, draw: () => void): void {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    draw();
    context.restore();
  }

  within(box: Box, draw: () => void): void {
    this.clip(box, () => {
      this.context.translate(box.x, box.y);
      draw();
    });
  }

  fill(colour: string, rectangles: Shapes): void {
    this.context.fillStyle = colour;
    this.paint(rectangles);
  }

  hatch(colour: string, rectangles: Shapes): void {
    this.context.fillStyle = this.pattern(colour) ?? "transparent";
    this.paint(rectangles);
  }

  stroke(colour: string, width: number, lines: Shapes, dash?: readonly number[]): void {
    this.outline(colour, width, lines, dash, 4, (data, at) =>
      this.context.lineTo(data[at + 2] ?? 0, data[at + 3] ?? 0),
    );
  }

  curves(colour: string, width: number, curves: Shapes, dash?: readonly number[]): void {
    this.outline(colour, width, curves, dash, 8, (data, at) => {
      this.context.bezierCurveTo(
        data[at + 2] ?? 0,
        data[at + 3] ?? 0,
        data[at + 4] ?? 0,
        data[at + 5] ?? 0,
        data[at + 6] ?? 0,
        data[at + 7] ?? 0,
      );
    });
  }

  triangles(colour: string, triangles: Shapes): void {
    const { context } = this;
    const { data, length } = triangles;
    context.fillStyle = colour;
    context.beginPath();
    for (let at = 0; at < length; at += 6) {
      context.moveTo(data[at] ?? 0, data[at + 1] ?? 0);
      context.lineTo(data[at + 2] ?? 0, data[at + 3] ?? 0);
      context.lineTo(data[at + 4] ?? 0, data[at + 5] ?? 0);
      context.closePath();
    }
    context.fill();
    triangles.clear();
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const { context } = this;
    context.font = fontOf(style);
    context.fillStyle = style.colour;
    context.textAlign = style.align ?? "left";
    context.textBaseline = "middle";
    context.fillText(text, x, y);
  }

  measure(text: string, style: TextStyle): number {
    const font = fontOf(style);
    const key = `${font}|${text}`;
    const known = this.measured.get(key);
    if (known !== undefined) return known;
    this.context.font = font;
    const { width } = this.context.measureText(text);
    if (this.measured.size >= MAX_CACHED_WIDTHS) this.measured.clear();
    this.measured.set(key, width);
    return width;
  }

  icon(kind: number, { x, y, width, height }: Box): void {
    const all = this.icons ?? this.paintIcons();
    const { ratio } = this;
    const cut = (ICON_WIDTH - width) / 2;
    this.context.drawImage(
      all,
      ((kind % COLUMNS) * ICON_WIDTH + cut) * ratio,
      Math.floor(kind / COLUMNS) * ICON_HEIGHT * ratio,
      width * ratio,
      ICON_HEIGHT * ratio,
      x,
      y,
      width,
      height,
    );
  }

  strip(strip: Strip, part: StripPart, { x, y, width, height }: Box): void {
    this.context.drawImage(
      strip.canvas,
      part.from,
      part.top,
      part.width,
      part.height,
      x,
      y,
      width,
      height,
    );
  }

  /** Lines or curves of `size` numbers each; `add` goes on from the first point. */
  private outline(
    colour: string,
    width: number,
    shapes: Shapes,
    dash: readonly number[] | undefined,
    size: number,
    add: (data: Float32Array, at: number) => void,
  ): void {
    const { context } = this;
    const { data, length } = shapes;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash ? [...dash] : []);
    context.beginPath();
    for (let at = 0; at < length; at += size) {
      context.moveTo(data[at] ?? 0, data[at + 1] ?? 0);
      add(data, at);
    }
    context.stroke();
    shapes.clear();
  }

  private paint(rectangles: Shapes): void {
    const { data, length } = rectangles;
    const { context } = this;
    context.beginPath();
    for (let at = 0; at < length; at += 4) {
      context.rect(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, data[at + 3] ?? 0);
    }
    context.fill();
    rectangles.clear();
  }

  private pattern(colour: string): CanvasPattern | null {
    const known = this.hatches.get(colour);
    if (known !== undefined) return known;
    const tile = document.createElement("canvas");
    const size = Math.round(HATCH * this.ratio);
    tile.width = size;
    tile.height = size;
    const context = tile.getContext("2d");
    if (context === null) return null;
    context.strokeStyle = colour;
    context.lineWidth = this.ratio;
    context.beginPath();
    for (const shift of [-size, 0, size]) {
      context.moveTo(shift, size);
      context.lineTo(shift + size, 0);
    }
    context.stroke();
    const pattern = this.context.createPattern(tile, "repeat");
    pattern?.setTransform(new DOMMatrix().scale(1 / this.ratio));
    this.hatches.set(colour, pattern);
    return pattern;
  }

  private paintIcons(): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    const rows = Math.max(1, Math.ceil(this.kinds.length / COLUMNS));
    canvas.width = Math.ceil(COLUMNS * ICON_WIDTH * this.ratio);
    canvas.height = Math.ceil(rows * ICON_HEIGHT * this.ratio);
    this.icons = canvas;
    const context = canvas.getContext("2d");
    if (context === null) return canvas;
    context.scale(this.ratio, this.ratio);
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.kinds.forEach((kind, number) => {
      const x = (number % COLUMNS) * ICON_WIDTH;
      const y = Math.floor(number / COLUMNS) * ICON_HEIGHT;
      halves(kind).forEach((half, below) => {
        context.fillStyle = half.colour;
        context.fillRect(x, y + (below * ICON_HEIGHT) / 2, ICON_WIDTH, ICON_HEIGHT / 2);
        context.fillStyle = half.letterColour;
        context.font = fontOf({ colour: half.letterColour, size: half.size, bold: true });
        context.fillText(half.letters, x + ICON_WIDTH / 2, y + half.middle);
      });
    });
    return canvas;
  }
}
