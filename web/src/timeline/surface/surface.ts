/** What lanes are drawn on: a canvas on the screen, or a file. */

import type { Shapes } from "./shapes";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TextStyle {
  colour: string;
  size: number;
  bold?: boolean;
  /** Where the text lies beside its position; `left` if not given. */
  align?: "left" | "center" | "right";
}

/** Columns of pixels that were painted before. */
export interface Strip {
  canvas: HTMLCanvasElement;
  width: number;
  height: number;
}

/** Which part of a strip, and where it goes. */
export interface StripPart {
  from: number;
  width: number;
  top: number;
  height: number;
}

export interface Surface {
  /** Device pixels per pixel. */
  readonly ratio: number;
  /** Draws nothing outside of the box. */
  clip(box: Box, draw: () => void): void;
  /** The same, with the origin at the box's corner. */
  within(box: Box, draw: () => void): void;
  fill(colour: string, rectangles: Shapes): void;
  /** Fills with slanted lines: nobody knows. */
  hatch(colour: string, rectangles: Shapes): void;
  stroke(colour: string, width: number, lines: Shapes, dash?: readonly number[]): void;
  /** Curves of Bézier: where each starts, its two control points, where it ends. */
  curves(colour: string, width: number, curves: Shapes, dash?: readonly number[]): void;
  triangles(colour: string, triangles: Shapes): void;
  /** Text whose middle lies at `y`. */
  text(text: string, x: number, y: number, style: TextStyle): void;
  measure(text: string, style: TextStyle): number;
  /** The icon of a kind of events, by its position in the overview; narrow ones lose their sides. */
  icon(kind: number, box: Box): void;
  strip(strip: Strip, part: StripPart, box: Box): void;
}

/** How text is set. */
export function fontOf(style: TextStyle): string {
  return `${style.bold ? "600 " : ""}${style.size}px system-ui, sans-serif`;
}
