/** A drawing surface: a canvas on screen, or a file. */

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
  /** Horizontal alignment at the position; `left` by default. */
  align?: "left" | "center" | "right";
}

/** Painted columns of pixels. */
export interface Strip {
  canvas: HTMLCanvasElement;
  width: number;
  height: number;
}

/** Source part of a strip. */
export interface StripPart {
  from: number;
  width: number;
  top: number;
  height: number;
}

/** What is drawn on; drawing shapes empties their buffer. */
export interface Surface {
  /** Device pixels per pixel. */
  readonly ratio: number;
  /** Clips drawing to a box. */
  clip(box: Box, draw: () => void): void;
  /** The same, with the origin at the box's corner. */
  within(box: Box, draw: () => void): void;
  fill(colour: string, rectangles: Shapes): void;
  /** Fills with slanted lines, which mean "unknown". */
  hatch(colour: string, rectangles: Shapes): void;
  stroke(colour: string, width: number, lines: Shapes, dash?: readonly number[]): void;
  /** Cubic Bézier curves: start, two control points, end. */
  curves(colour: string, width: number, curves: Shapes, dash?: readonly number[]): void;
  triangles(colour: string, triangles: Shapes): void;
  /** Text with its middle at `y`. */
  text(text: string, x: number, y: number, style: TextStyle): void;
  measure(text: string, style: TextStyle): number;
  /** Icon of an event kind by its position in the overview; narrow icons lose their sides. */
  icon(kind: number, box: Box): void;
  strip(strip: Strip, part: StripPart, box: Box): void;
}

/** CSS font of a text style. */
export function fontOf(style: TextStyle): string {
  return `${style.bold ? "600 " : ""}${style.size}px system-ui, sans-serif`;
}
