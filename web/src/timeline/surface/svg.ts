/** Drawing into an SVG file. */

import type { EventKind } from "../../session/wire";
import { halves, ICON_HEIGHT, MIN_READABLE_WIDTH } from "./icons";
import type { Shapes } from "./shapes";
import type { Box, Strip, StripPart, Surface, TextStyle } from "./surface";

/** Average width of a character relative to the text size. */
const CHARACTER = 0.58;

/** Characters that XML 1.0 forbids. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for XML. */
export function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

const number = (value: number | undefined) => String(Math.round((value ?? 0) * 100) / 100);

/** Collects shapes; {@link finish} returns the file's text. */
export class SvgSurface implements Surface {
  readonly ratio = 1;
  private readonly parts: string[] = [];
  private readonly definitions: string[] = [];
  private readonly hatches = new Map<string, string>();
  private clips = 0;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly kinds: readonly EventKind[],
  ) {}

  finish(): string {
    const { width, height } = this;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}"`,
      ` viewBox="0 0 ${number(width)} ${number(height)}"`,
      ` font-family="system-ui, sans-serif" shape-rendering="crispEdges">`,
      `<defs>${this.definitions.join("")}</defs>`,
      ...this.parts,
      "</svg>\n",
    ].join("");
  }

  clip({ x, y, width, height }: Box, draw: () => void): void {
    const id = `clip${this.clips}`;
    this.clips += 1;
    this.definitions.push(
      `<clipPath id="${id}"><rect x="${number(x)}" y="${number(y)}" width="${number(width)}"`,
      ` height="${number(height)}"/></clipPath>`,
    );
    this.parts.push(`<g clip-path="url(#${id})">`);
    draw();
    this.parts.push("</g>");
  }

  within(box: Box, draw: () => void): void {
    this.clip(box, () => {
      this.parts.push(`<g transform="translate(${number(box.x)} ${number(box.y)})">`);
      draw();
      this.parts.push("</g>");
    });
  }

  fill(colour: string, rectangles: Shapes): void {
    this.path(rectangles, `fill="${escapeXml(colour)}"`);
  }

  hatch(colour: string, rectangles: Shapes): void {
    let id = this.hatches.get(colour);
    if (id === undefined) {
      id = `hatch${this.hatches.size}`;
      this.hatches.set(colour, id);
      this.definitions.push(
        `<pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse">`,
        `<path d="M-1 1L1 -1M0 7L7 0M6 8L8 6" stroke="${escapeXml(colour)}"/></pattern>`,
      );
    }
    this.path(rectangles, `fill="url(#${id})"`);
  }

  stroke(colour: string, width: number, lines: Shapes, dash?: readonly number[]): void {
    let d = "";
    for (let at = 0; at < lines.length; at += 4) {
      const [x0, y0, x1, y1] = lines.data.subarray(at, at + 4);
      d += `M${number(x0)} ${number(y0)}L${number(x1)} ${number(y1)}`;
    }
    lines.clear();
    this.outline(d, colour, width, dash);
  }

  curves(colour: string, width: number, curves: Shapes, dash?: readonly number[]): void {
    let d = "";
    for (let at = 0; at < curves.length; at += 8) {
      const [x0, y0, ...rest] = curves.data.subarray(at, at + 8);
      d += `M${number(x0)} ${number(y0)}C${rest.map(number).join(" ")}`;
    }
    curves.clear();
    this.outline(d, colour, width, dash);
  }

  triangles(colour: string, triangles: Shapes): void {
    let d = "";
    for (let at = 0; at < triangles.length; at += 6) {
      const [x0, y0, x1, y1, x2, y2] = triangles.data.subarray(at, at + 6);
      d += `M${number(x0)} ${number(y0)}L${number(x1)} ${number(y1)}L${number(x2)} ${number(y2)}Z`;
    }
    triangles.clear();
    this.parts.push(`<path d="${d}" fill="${escapeXml(colour)}"/>`);
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const anchor =
      style.align === "center"
        ? ' text-anchor="middle"'
        : style.align === "right"
          ? ' text-anchor="end"'
          : "";
    const weight = style.bold ? ' font-weight="600"' : "";
    // Some programs lack `dominant-baseline`: the baseline of most fonts is this far below the
    // middle.
    const baseline = y + style.size * 0.35;
    this.parts.push(
      `<text x="${number(x)}" y="${number(baseline)}" font-size="${number(style.size)}"`,
      `${anchor}${weight} fill="${escapeXml(style.colour)}">${escapeXml(text)}</text>`,
    );
  }

  measure(text: string, style: TextStyle): number {
    return text.length * style.size * CHARACTER;
  }

  icon(kind: number, { x, y, width, height }: Box): void {
    const found = this.kinds[kind];
    if (found === undefined) return;
    const factor = height / ICON_HEIGHT;
    halves(found).forEach((half, below) => {
      this.parts.push(
        `<rect x="${number(x)}" y="${number(y + (below * height) / 2)}" width="${number(width)}"`,
        ` height="${number(height / 2)}" fill="${escapeXml(half.colour)}"/>`,
      );
      if (width < MIN_READABLE_WIDTH || half.letters === "") return;
      this.text(half.letters, x + width / 2, y + half.middle * factor, {
        colour: half.letterColour,
        size: half.size * factor,
        bold: true,
        align: "center",
      });
    });
  }

  strip(strip: Strip, part: StripPart, { x, y, width, height }: Box): void {
    // Only the visible part goes into the file.
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(part.width));
    canvas.height = part.height;
    const context = canvas.getContext("2d");
    if (context === null) return;
    context.imageSmoothingEnabled = false;
    context.drawImage(
      strip.canvas,
      part.from,
      part.top,
      part.width,
      part.height,
      0,
      0,
      canvas.width,
      canvas.height,
    );
    this.parts.push(
      `<image x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`,
      ` preserveAspectRatio="none" image-rendering="pixelated" href="${canvas.toDataURL("image/png")}"/>`,
    );
  }

  private outline(d: string, colour: string, width: number, dash?: readonly number[]): void {
    const dashes = dash ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    this.parts.push(
      `<path d="${d}" fill="none" stroke="${escapeXml(colour)}" stroke-width="${number(width)}"${dashes}/>`,
    );
  }

  private path(rectangles: Shapes, attributes: string): void {
    let d = "";
    for (let at = 0; at < rectangles.length; at += 4) {
      const [x, y, width, height] = rectangles.data.subarray(at, at + 4);
      d += `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-(width ?? 0))}z`;
    }
    rectangles.clear();
    this.parts.push(`<path d="${d}" ${attributes}/>`);
  }
}
