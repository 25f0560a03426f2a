/** Sample of what the timeline draws, drawn by the same code. */

import { effect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Palette, palette } from "../../timeline/palette";
import { CanvasSurface } from "../../timeline/surface/canvas";
import type { Surface } from "../../timeline/surface/surface";

/** Size of a sample in pixels. */
export const SAMPLE = { width: 34, height: 26 } as const;

export function Sample({ draw }: { draw: (surface: Surface, colours: Palette) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current === null) return undefined;
    const surface = new CanvasSurface(canvas.current, []);
    return effect(() => {
      surface.begin(SAMPLE.width, SAMPLE.height, window.devicePixelRatio);
      draw(surface, palette());
    });
  }, [draw]);
  return <canvas class="sample" ref={canvas} aria-hidden="true" />;
}
