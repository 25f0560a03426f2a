/** Pixels of canvases. */

import { inflateRawSync } from "node:zlib";
import type { Locator } from "@playwright/test";

/** Red, green and blue. */
export type Colour = readonly [number, number, number];

/** Tolerance of a channel: edges are blended, and elements overlap. */
const NEAR = 12;

export function isNear(one: Colour, other: Colour, within = NEAR): boolean {
  return one.every((channel, at) => Math.abs(channel - (other[at] ?? 0)) <= within);
}

/** Content of stacked canvases. Positions are page pixels within them. */
export class Picture {
  private constructor(
    readonly width: number,
    readonly height: number,
    private readonly pixels: Uint8Array,
    private readonly properties: Readonly<Record<string, Colour>>,
  ) {}

  /** Takes the picture of all canvases within an element. */
  static async of(element: Locator): Promise<Picture> {
    const { width, height, text, properties } = await element.evaluate(async (host) => {
      const canvases = [...host.querySelectorAll("canvas")];
      const [first] = canvases;
      const [width, height] = [first?.width ?? 0, first?.height ?? 0];
      const all = document.createElement("canvas");
      Object.assign(all, { width, height });
      const context = all.getContext("2d", { willReadFrequently: true });
      if (!context) throw new Error("the browser cannot draw on a canvas");
      for (const canvas of canvases) context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      // Compressed: the way to the test is slow.
      const packed = new Blob([data]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 32_768) {
        text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
      }
      // All colours of the theme, as the browser parses them.
      const properties: Record<string, [number, number, number]> = {};
      const style = getComputedStyle(document.documentElement);
      const names = [...document.styleSheets]
        .flatMap((sheet) => [...sheet.cssRules])
        .flatMap((rule) =>
          rule instanceof CSSStyleRule && rule.selectorText.includes(":root")
            ? [...rule.style]
            : [],
        )
        .filter((name) => name.startsWith("--"));
      const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      for (const name of new Set(names)) {
        if (!probe) break;
        probe.clearRect(0, 0, 1, 1);
        probe.fillStyle = style.getPropertyValue(name).trim();
        probe.fillRect(0, 0, 1, 1);
        const [red = 0, green = 0, blue = 0] = probe.getImageData(0, 0, 1, 1).data;
        properties[name] = [red, green, blue];
      }
      return { width, height, text: btoa(text), properties };
    });
    const pixels = inflateRawSync(Buffer.from(text, "base64"));
    return new Picture(width, height, pixels, properties);
  }

  /** Colour of a custom property of the theme. */
  property(name: string): Colour {
    const colour = this.properties[name];
    if (!colour) throw new Error(`the theme has no ${name}`);
    return colour;
  }

  at(x: number, y: number): Colour {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) {
      throw new RangeError(`(${x}, ${y}) is outside ${this.width} × ${this.height}`);
    }
    const at = (row * this.width + column) * 4;
    return [this.pixels[at] ?? 0, this.pixels[at + 1] ?? 0, this.pixels[at + 2] ?? 0];
  }

  /** Whether a pixel of a column has a colour, within a range of rows. */
  has(property: string, x: number, top: number, bottom: number): boolean {
    const colour = this.property(property);
    for (let y = Math.ceil(top); y < bottom; y += 1) {
      if (isNear(this.at(x, y), colour)) return true;
    }
    return false;
  }

  /** Columns that have a pixel of a colour. */
  columnsOf(property: string): number[] {
    const columns: number[] = [];
    for (let x = 0; x < this.width; x += 1) {
      if (this.has(property, x, 0, this.height)) columns.push(x);
    }
    return columns;
  }

  /** Number of columns that have a pixel of a colour. */
  countOf(property: string): number {
    return this.columnsOf(property).length;
  }

  /** Number of different colours: an empty picture has one. */
  get colours(): number {
    const seen = new Set<number>();
    for (let at = 0; at < this.pixels.length; at += 4) {
      seen.add(
        ((this.pixels[at] ?? 0) << 16) |
          ((this.pixels[at + 1] ?? 0) << 8) |
          (this.pixels[at + 2] ?? 0),
      );
    }
    return seen.size;
  }
}
